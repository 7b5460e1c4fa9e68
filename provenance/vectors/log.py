"""Known answers of the anchors' log, without any code of the project: RFC 9162, C2SP signed-note, tlog-checkpoint,
tlog-cosignature, tlog-tiles and tlog-proof, read from their texts.

Run: python3 provenance/vectors/log.py > provenance/vectors/log.json
Needs the package cryptography, 47 or newer. Signatures of ML-DSA-44 are other ones on each run.
"""
import base64
import hashlib
import json
import struct

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def b64(data):
    return base64.b64encode(data).decode()


# RFC 9162 section 2.1, as it is written there
def entry(i):
    return f"entry {i}".encode()


def k_of(n):
    k = 1
    while k * 2 < n:
        k *= 2
    return k


CACHE = {}


def mth(start, end):
    if start == end:
        return sha()
    if (start, end) not in CACHE:
        if end - start == 1:
            value = sha(b"\x00", entry(start))
        else:
            k = k_of(end - start)
            value = sha(b"\x01", mth(start, start + k), mth(start + k, end))
        CACHE[start, end] = value
    return CACHE[start, end]


def path(m, start, end):
    if end - start == 1:
        return []
    k = k_of(end - start)
    if m < k:
        return path(m, start, start + k) + [mth(start + k, end)]
    return path(m - k, start + k, end) + [mth(start, start + k)]


def subproof(m, start, end, whole):
    if m == end - start:
        return [] if whole else [mth(start, end)]
    k = k_of(end - start)
    if m <= k:
        return subproof(m, start, start + k, whole) + [mth(start + k, end)]
    return subproof(m - k, start + k, end, False) + [mth(start, start + k)]


SIZES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 64, 65, 255, 256, 257, 300, 70000]
tree = {
    "roots": [{"size": n, "root": b64(mth(0, n))} for n in SIZES],
    "inclusion": [
        {"index": i, "size": n, "path": [b64(h) for h in path(i, 0, n)]}
        for n in (1, 2, 3, 7, 8, 300, 70000)
        for i in sorted({0, n // 2, n - 1})
    ],
    "consistency": [
        {"old": m, "size": n, "proof": [b64(h) for h in subproof(m, 0, n, True)]}
        for m, n in [(1, 1), (1, 2), (2, 3), (3, 7), (4, 7), (6, 7), (4, 8), (7, 8), (256, 300), (257, 300), (300, 70000)]
    ],
}


# tlog-tiles
def tile_number(n):
    groups = f"{n:0{-(-len(str(n)) // 3) * 3}d}"
    parts = [groups[i:i + 3] for i in range(0, len(groups), 3)]
    return "/".join(["x" + part for part in parts[:-1]] + parts[-1:])


def tiles_of(size):
    level = 0
    while size // 256 ** level > 0:
        hashes = size // 256 ** level
        for n in range(-(-hashes // 256)):
            width = min(256, hashes - n * 256)
            span = 256 ** level
            data = b"".join(mth(i * span, (i + 1) * span) for i in range(n * 256, n * 256 + width))
            yield f"tile/{level}/{tile_number(n)}" + ("" if width == 256 else f".p/{width}"), data
        level += 1
    for n in range(-(-size // 256)):
        width = min(256, size - n * 256)
        data = b"".join(struct.pack(">H", len(entry(i))) + entry(i) for i in range(n * 256, n * 256 + width))
        yield f"tile/entries/{tile_number(n)}" + ("" if width == 256 else f".p/{width}"), data


def last_tiles(size):
    """All, or of a large tree the partial ones and those above the leaves."""
    return [(name, data) for name, data in tiles_of(size) if size < 1000 or ".p/" in name or name[5] in "12"]


tiles = [
    {"size": size, "tiles": [{"path": name, "sha256": sha(data).hex()} for name, data in last_tiles(size)]}
    for size in (1, 256, 300, 70000)
]
paths = [{"index": n, "path": f"tile/0/{tile_number(n)}"} for n in (0, 999, 1000, 1234067, 999999999)]


# signed-note, tlog-checkpoint, tlog-cosignature
def key_id(name, kind, public):
    return sha(name.encode(), b"\n", bytes([kind]), public)[:4]


def vkey(name, kind, public):
    return f"{name}+{key_id(name, kind, public).hex()}+{b64(bytes([kind]) + public)}"


def line(name, kind, public, signature):
    return f"\u2014 {name} {b64(key_id(name, kind, public) + signature)}\n"


def ed25519(seed):
    key = Ed25519PrivateKey.from_private_bytes(sha(seed.encode()))
    return key, key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def ml_dsa_44(seed):
    key = MLDSA44PrivateKey.from_seed_bytes(sha(seed.encode()))
    return key, key.public_key().public_bytes_raw()


ORIGIN = "fish.example/befaqt/log"
SIZE = 300
TIME = 1795200000
text = f"{ORIGIN}\n{SIZE}\n{b64(mth(0, SIZE))}\n"
log_key, log_public = ed25519("log")
note = text + "\n" + line(ORIGIN, 1, log_public, log_key.sign(text.encode()))
vkeys = [vkey(ORIGIN, 1, log_public)]
for name in ("market.example/w", "university.example/w"):
    key, public = ed25519(name)
    signature = key.sign(f"cosignature/v1\ntime {TIME}\n{text}".encode())
    note += line(name, 4, public, struct.pack(">Q", TIME) + signature)
    vkeys.append(vkey(name, 4, public))
name = "market.example/w"
key, public = ml_dsa_44(name)
message = b"subtree/v1\n\0" + bytes([len(name)]) + name.encode() + struct.pack(">Q", TIME)
message += bytes([len(ORIGIN)]) + ORIGIN.encode() + struct.pack(">QQ", 0, SIZE) + mth(0, SIZE)
note += line(name, 6, public, struct.pack(">Q", TIME) + key.sign(message))
vkeys.append(vkey(name, 6, public))

# tlog-proof, tlog-policy
INDEX = 270
proof = f"c2sp.org/tlog-proof@v1\nindex {INDEX}\n"
proof += "".join(b64(h) + "\n" for h in path(INDEX, 0, SIZE)) + "\n" + note
policy = f"# of nobody\nlog {vkeys[0]}\n"
policy += f"witness market-ed {vkeys[1]}\nwitness market-ml\t{vkeys[3]} https://market.example/w/\n"
policy += f"witness university {vkeys[2]}\n\n"
policy += "group market any market-ed market-ml\n group both all market university \nquorum both\n"

# RFC 8785 of an anchor, by hand
anchor = {"boxes": 12, "index": 3, "records": 7, "root": sha(b"root").hex(), "time": "2026-11-21T01:02:03Z"}
leaf = json.dumps(anchor, sort_keys=True, separators=(",", ":"))

print(json.dumps({
    "tree": tree, "tiles": tiles, "paths": paths, "keys": vkeys, "note": note, "proof": proof, "policy": policy,
    "anchor": {"of": anchor, "leaf": leaf, "hash": b64(sha(b"\x00", leaf.encode()))},
}, indent=1, ensure_ascii=False))
