import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Digest, hashOf, sameDigest, toHex, utf8 } from '../digest.ts'
import { anchorEntry } from '../leaf.ts'
import { blockTimeSeconds } from '../validate.ts'
import { checkpointText, digest, parseProofFile, proofFileText } from './checkpoint.ts'
import { parseVerifierKey, toBase64, verifierKeyText } from './note.ts'
import { keysOf, parsePolicy, witnessed } from './policy.ts'
import { openCheckpoint } from './signed-checkpoint.ts'
import {
  entryBundle,
  hashesAt,
  hashesIn,
  hashOfRow,
  hasTile,
  leafHash,
  parseEntryBundle,
  parseTilePath,
  proveConsistency,
  proveInclusion,
  readFromTiles,
  rootOf,
  type Tile,
  tilePath,
  verifyConsistency,
  verifyInclusion,
} from './tree.ts'

interface KnownAnswers {
  tree: {
    roots: { size: number; root: string }[]
    inclusion: { index: number; size: number; path: string[] }[]
    consistency: { old: number; size: number; proof: string[] }[]
  }
  tiles: { size: number; tiles: { path: string; sha256: string }[] }[]
  paths: { index: number; path: string }[]
  keys: string[]
  note: string
  proof: string
  policy: string
  anchor: {
    of: { boxes: number; index: number; records: number; root: string; time: string }
    leaf: string
    hash: string
  }
}

// Made by vectors/log.py; trees, tiles and the log's signature are also those of Go's golang.org/x/mod/sumdb.
const known: KnownAnswers = JSON.parse(
  readFileSync(new URL('../../vectors/log.json', import.meta.url), 'utf8'),
)

const entryAt = (i: number): Uint8Array => utf8(`entry ${i}`)
const SIZE = 70_000

/** Hashes that tiles hold, by their level. */
const levels: Digest[][] = [Array.from({ length: SIZE }, (_, i) => leafHash(entryAt(i)))]
for (let level = 1; hashesAt(level, SIZE) > 0; level++)
  levels.push(
    Array.from({ length: hashesAt(level, SIZE) }, (_, i) =>
      hashOfRow((levels[level - 1] ?? []).slice(i * 256, (i + 1) * 256)),
    ),
  )
const read = readFromTiles(async (level, first, count) => (levels[level] ?? []).slice(first, first + count))

const inBase64 = (hashes: readonly Digest[]): string[] => hashes.map(toBase64)
const digests = (hashes: readonly string[]): Digest[] => hashes.map((hash) => digest(hash, '$'))

test('roots, inclusion and consistency proofs are those of two other implementations', async () => {
  const roots = new Map(known.tree.roots.map(({ size, root }) => [size, root]))
  for (const [size, root] of roots) assert.equal(toBase64(await rootOf(size, read)), root, `size ${size}`)
  for (const { index, size, path } of known.tree.inclusion) {
    assert.deepEqual(inBase64(await proveInclusion(index, size, read)), path)
    const root = await rootOf(size, read)
    assert.ok(verifyInclusion(leafHash(entryAt(index)), index, size, digests(path), root))
  }
  for (const { old, size, proof } of known.tree.consistency) {
    assert.deepEqual(inBase64(await proveConsistency(old, size, read)), proof)
    const [before, now] = [await rootOf(old, read), await rootOf(size, read)]
    assert.ok(verifyConsistency([old, before], [size, now], digests(proof)), `${old} of ${size}`)
  }
})

test('tiles and bundles have the known paths and bytes, and are read back', () => {
  for (const { size, tiles } of known.tiles)
    for (const { path, sha256 } of tiles) {
      const tile = parseTilePath(path)
      assert.ok(tile !== undefined && hasTile(tile, size), path)
      assert.equal(toHex(hashOf(bytesOf(tile))), sha256, path)
      assert.equal(tilePath(tile), path)
      if (tile.width < 256) assert.ok(!hasTile({ ...tile, width: tile.width + 1 }, size), path)
    }
  for (const { index, path } of known.paths) assert.equal(tilePath({ level: 0, index, width: 256 }), path)
})

function bytesOf({ level, index, width }: Tile): Uint8Array {
  const [first, end] = [index * 256, index * 256 + width]
  if (level === 'entries') {
    const entries = Array.from({ length: width }, (_, i) => entryAt(first + i))
    const bundle = entryBundle(entries)
    assert.deepEqual(parseEntryBundle(bundle, width), entries)
    return bundle
  }
  const hashes = (levels[level] ?? []).slice(first, end)
  const bytes = Uint8Array.from(hashes.flatMap((hash) => [...hash]))
  assert.deepEqual(hashesIn(bytes, width), hashes)
  return bytes
}

test('the known note is opened, its cosignatures hold, and its policy is met', async () => {
  const policy = parsePolicy(utf8(known.policy))
  const { logs, cosigners } = keysOf(policy)
  for (const key of known.keys) assert.equal(verifierKeyText(parseVerifierKey(key)), key)
  const opened = await openCheckpoint(known.note, logs, cosigners)
  assert.equal(`${checkpointText(opened.checkpoint)}\n`, known.note.slice(0, known.note.indexOf('—')))
  assert.deepEqual(opened.unchecked, [])
  const timeS = 1_795_200_000
  assert.deepEqual(witnessed(opened, policy), {
    quorum: 'reached',
    k: 2,
    n: 2,
    by: [
      { name: 'market-ed', timeS },
      { name: 'market-ml', timeS },
      { name: 'university', timeS },
    ],
  })
})

test('the known proof file is read and proves its entry', async () => {
  const file = parseProofFile(known.proof)
  assert.equal(proofFileText(file), known.proof)
  const { checkpoint } = await openCheckpoint(
    file.checkpoint,
    keysOf(parsePolicy(utf8(known.policy))).logs,
    [],
  )
  const { size, root } = checkpoint
  assert.ok(verifyInclusion(leafHash(entryAt(file.index)), file.index, size, file.path, root))
  assert.ok(!verifyInclusion(leafHash(entryAt(0)), file.index, size, file.path, root))
  const extra = known.proof.replace('\n', '\nextra YWdl\n')
  assert.deepEqual(parseProofFile(extra), file)
})

test('the entry of an anchor is its canonical JSON', () => {
  const time = blockTimeSeconds(known.anchor.of.time) ?? 0
  const entry = anchorEntry({ ...known.anchor.of, time })
  assert.equal(new TextDecoder().decode(entry), known.anchor.leaf)
  assert.ok(sameDigest(leafHash(entry), digest(known.anchor.hash, '$')))
})
