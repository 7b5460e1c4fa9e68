// Reads a log that a shop or a mirror serves, with Go's own code for such logs (golang.org/x/mod/sumdb, package
// golang-golang-x-mod-dev of Debian) and none of the project's: checks the note and its signatures, every tile and entry
// against the signed root, and a proof of inclusion and of consistency for each size.
//
// Run: GO111MODULE=off GOPATH=/usr/share/gocode go run provenance/vectors/read_log.go URL KEY [COSIGNER...]
// URL is where the log's checkpoint and tile/ stand; KEY its verifier key; COSIGNER keys of witnesses or mirrors (Ed25519),
// each of which has to have signed. Ends with 1 and says what does not hold.
package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func check(err error, what string) {
	if err != nil {
		fmt.Fprintln(os.Stderr, what+":", err)
		os.Exit(1)
	}
}

// cosigner verifies cosignature/v1 of C2SP's tlog-cosignature, which sumdb's notes leave to whoever knows it.
type cosigner struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (c cosigner) Name() string    { return c.name }
func (c cosigner) KeyHash() uint32 { return c.hash }
func (c cosigner) Verify(msg, sig []byte) bool {
	if len(sig) != 8+ed25519.SignatureSize {
		return false
	}
	at := binary.BigEndian.Uint64(sig)
	signed := fmt.Sprintf("cosignature/v1\ntime %d\n%s", at, msg)
	return ed25519.Verify(c.key, []byte(signed), sig[8:])
}

func newCosigner(text string) cosigner {
	parts := strings.SplitN(text, "+", 3)
	if len(parts) != 3 {
		check(fmt.Errorf("not NAME+ID+KEY"), text)
	}
	var hash uint32
	_, err := fmt.Sscanf(parts[1], "%08x", &hash)
	check(err, text)
	key, err := base64.StdEncoding.DecodeString(parts[2])
	check(err, text)
	if len(key) != 1+ed25519.PublicKeySize || key[0] != 4 {
		check(fmt.Errorf("not an Ed25519 key of a cosigner"), parts[0])
	}
	return cosigner{parts[0], hash, key[1:]}
}

type reader struct {
	url   string
	tiles map[string]bool
}

func (r *reader) get(path string) ([]byte, error) {
	response, err := http.Get(r.url + "/" + path)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != 200 {
		return nil, fmt.Errorf("%s: %s", path, response.Status)
	}
	return io.ReadAll(io.LimitReader(response.Body, 1<<20))
}

func (r *reader) Height() int                                { return 8 }
func (r *reader) SaveTiles(tiles []tlog.Tile, data [][]byte) {}
func (r *reader) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range tiles {
		// Go names the height of a tile, tlog-tiles does not: it is always 8
		path := "tile/" + strings.TrimPrefix(tile.Path(), "tile/8/")
		r.tiles[path] = true
		data, err := r.get(path)
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

// entries of a bundle, each after its length as a big-endian uint16.
func (r *reader) bundle(n int64, width int) ([][]byte, error) {
	path := strings.TrimPrefix(tlog.Tile{H: 8, L: 0, N: n, W: width}.Path(), "tile/8/0/")
	data, err := r.get("tile/entries/" + path)
	if err != nil {
		return nil, err
	}
	var entries [][]byte
	for len(data) > 0 {
		if len(data) < 2 || len(data) < 2+int(binary.BigEndian.Uint16(data)) {
			return nil, fmt.Errorf("bundle %d is cut short", n)
		}
		size := int(binary.BigEndian.Uint16(data))
		entries = append(entries, data[2:2+size])
		data = data[2+size:]
	}
	if len(entries) != width {
		return nil, fmt.Errorf("bundle %d has %d entries, not %d", n, len(entries), width)
	}
	return entries, nil
}

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: read_log URL KEY [COSIGNER...]")
		os.Exit(2)
	}
	log, err := note.NewVerifier(os.Args[2])
	check(err, "key of the log")
	verifiers := []note.Verifier{log}
	for _, text := range os.Args[3:] {
		verifiers = append(verifiers, newCosigner(text))
	}
	r := &reader{strings.TrimSuffix(os.Args[1], "/"), map[string]bool{}}
	text, err := r.get("checkpoint")
	check(err, "checkpoint")
	opened, err := note.Open(text, note.VerifierList(verifiers...))
	check(err, "note")
	for _, verifier := range verifiers {
		found := false
		for _, sig := range opened.Sigs {
			found = found || sig.Name == verifier.Name() && sig.Hash == verifier.KeyHash()
		}
		if !found {
			check(fmt.Errorf("has not signed"), verifier.Name())
		}
	}

	// A checkpoint of C2SP is a tree of Go's but for its first line, the origin
	lines := strings.SplitN(opened.Text, "\n", 2)
	if lines[0] != log.Name() {
		check(fmt.Errorf("is not of this log"), lines[0])
	}
	tree, err := tlog.ParseTree([]byte("go.sum database tree\n" + lines[1]))
	check(err, "checkpoint")
	hashes := tlog.TileHashReader(tree, r)
	root, err := tlog.TreeHash(tree.N, hashes)
	check(err, "root")
	if root != tree.Hash {
		check(fmt.Errorf("is another"), "root")
	}
	for first := int64(0); first < tree.N; first += 256 {
		width := 256
		if tree.N-first < 256 {
			width = int(tree.N - first)
		}
		entries, err := r.bundle(first/256, width)
		check(err, "entries")
		for i, entry := range entries {
			at := first + int64(i)
			proof, err := tlog.ProveRecord(tree.N, at, hashes)
			check(err, "proof")
			check(tlog.CheckRecord(proof, tree.N, tree.Hash, at, tlog.RecordHash(entry)), fmt.Sprintf("entry %d", at))
			older, err := tlog.TreeHash(at+1, hashes)
			check(err, "older tree")
			continued, err := tlog.ProveTree(tree.N, at+1, hashes)
			check(err, "consistency")
			check(tlog.CheckTree(continued, tree.N, tree.Hash, at+1, older), fmt.Sprintf("tree of %d", at+1))
		}
	}
	fmt.Printf("%s: %d entries, %d tiles, signed by %d of the named keys, %d signatures of others passed over\n",
		log.Name(), tree.N, len(r.tiles), len(opened.Sigs), len(opened.UnverifiedSigs))
}
