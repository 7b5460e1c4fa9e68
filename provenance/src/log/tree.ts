import { type Digest, hashOf, sameDigest, utf8 } from '../digest.ts'
import { FormatError } from '../format-error.ts'

/*
 * The Merkle tree of an append-only log, and its proofs: that an entry is in it, and that a tree continues a smaller one.
 * Source: RFC 9162 §2.1.
 *
 * What is hashed of a tree never changes once a subtree is complete, so a tree of any size is made of complete subtrees:
 * `level` is how high one is, `index` which of its height. Whoever makes proofs says how these are read.
 */

/** A tree has fewer leaves than this, so that all that is counted is exact. */
export const MAX_SIZE = 2 ** 48
/** No proof of inclusion or consistency has more hashes. Source: C2SP tlog-witness. */
export const MAX_PROOF = 63

const LEAF = Uint8Array.of(0x00)
const NODE = Uint8Array.of(0x01)

/** Hash of an entry. */
export const leafHash = (entry: Uint8Array): Digest => hashOf(LEAF, entry)

/** Hash of two subtrees side by side. */
export const nodeHash = (left: Digest, right: Digest): Digest => hashOf(NODE, left, right)

/** Root of the tree without leaves. */
export const EMPTY_ROOT: Digest = hashOf(utf8(''))

/** Reads the hash of the complete subtree over the leaves from `index · 2^level` up to `(index + 1) · 2^level`. */
export type ReadHash = (level: number, index: number) => Promise<Digest>

/** Leaves from `start` up to, not with, `end`. */
type Range = readonly [start: number, end: number]

/** How many leaves stand left of a tree's middle: the largest power of two below `size`. */
function leftOf(size: number): number {
  let left = 1
  while (left * 2 < size) left *= 2
  return left
}

/** Hash over some leaves; they begin where a complete subtree as large as their left half may begin. */
async function hashOver([start, end]: Range, read: ReadHash): Promise<Digest> {
  const size = end - start
  const left = leftOf(size)
  if (size === 1 || left * 2 === size) return read(Math.log2(size), start / size)
  const halves: [Range, Range] = [
    [start, start + left],
    [start + left, end],
  ]
  return nodeHash(await hashOver(halves[0], read), await hashOver(halves[1], read))
}

/** Root of the tree over the first `size` leaves. */
export const rootOf = async (size: number, read: ReadHash): Promise<Digest> =>
  size === 0 ? EMPTY_ROOT : hashOver([0, size], read)

/** The siblings of a leaf, its own first, up to the root's child. @throws RangeError unless the tree has that leaf */
export const proveInclusion = async (index: number, size: number, read: ReadHash): Promise<Digest[]> =>
  hashAll(siblingsOf(index, size), read)

/** `proveInclusion` of each of these leaves: what their ways have in common is read and hashed once, and is one object. */
export async function proveInclusions(
  indexes: readonly number[],
  size: number,
  read: ReadHash,
): Promise<Digest[][]> {
  const known = new Map<string, Digest>()
  const paths: Digest[][] = []
  for (const index of indexes) {
    const path: Digest[] = []
    for (const range of siblingsOf(index, size)) {
      const name = range.join()
      const hash = known.get(name) ?? (await hashOver(range, read))
      known.set(name, hash)
      path.push(hash)
    }
    paths.push(path)
  }
  return paths
}

function siblingsOf(index: number, size: number): Range[] {
  if (!isCount(index) || !isCount(size) || index >= size)
    throw new RangeError(`no leaf ${index} among ${size}`)
  const siblings: Range[] = []
  let [start, end]: Range = [0, size]
  while (end - start > 1) {
    const middle: number = start + leftOf(end - start)
    siblings.unshift(index < middle ? [middle, end] : [start, middle])
    ;[start, end] = index < middle ? [start, middle] : [middle, end]
  }
  return siblings
}

/**
 * What shows that the first `old` of `size` leaves are still the first. Nothing where either tree says it all.
 * @throws RangeError unless `old` is at most `size`
 */
export async function proveConsistency(old: number, size: number, read: ReadHash): Promise<Digest[]> {
  if (!isCount(old) || !isCount(size) || old > size)
    throw new RangeError(`${old} leaves are not among ${size}`)
  if (old === 0 || old === size) return []
  const parts: Range[] = []
  let [start, end]: Range = [0, size]
  while (old !== end) {
    const middle: number = start + leftOf(end - start)
    parts.unshift(old <= middle ? [middle, end] : [start, middle])
    ;[start, end] = old <= middle ? [start, middle] : [middle, end]
  }
  return hashAll(start === 0 ? parts : [[start, end], ...parts], read)
}

async function hashAll(ranges: readonly Range[], read: ReadHash): Promise<Digest[]> {
  const hashes: Digest[] = []
  for (const range of ranges) hashes.push(await hashOver(range, read))
  return hashes
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0 && value <= MAX_SIZE

/** Does this root hold the leaf at this place? Source: RFC 9162 §2.1.3.2. */
export function verifyInclusion(
  leaf: Digest,
  index: number,
  size: number,
  path: readonly Digest[],
  root: Digest,
): boolean {
  if (!isCount(index) || !isCount(size) || index >= size || path.length > MAX_PROOF) return false
  let [at, last] = [index, size - 1]
  let hash = leaf
  for (const sibling of path) {
    if (last === 0) return false
    const isRight = at % 2 === 1 || at === last
    hash = isRight ? nodeHash(sibling, hash) : nodeHash(hash, sibling)
    if (isRight) [at, last] = toOdd(at, last)
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return last === 0 && sameDigest(hash, root)
}

/** Up to where the place is a right child: above it, this subtree stands alone at the tree's edge. */
function toOdd(at: number, last: number): [number, number] {
  let [a, l] = [at, last]
  while (a % 2 === 0 && a !== 0) [a, l] = [a / 2, Math.floor(l / 2)]
  return [a, l]
}

/** Does the tree of `size` leaves continue the one of `old`? Source: RFC 9162 §2.1.4.2. */
export function verifyConsistency(
  [old, oldRoot]: readonly [number, Digest],
  [size, root]: readonly [number, Digest],
  proof: readonly Digest[],
): boolean {
  if (!isCount(old) || !isCount(size) || old > size || proof.length > MAX_PROOF) return false
  if (old === size) return proof.length === 0 && sameDigest(oldRoot, root)
  if (old === 0) return proof.length === 0 && sameDigest(oldRoot, EMPTY_ROOT)
  let [at, last] = [old - 1, size - 1]
  while (at % 2 === 1) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  const [first, ...rest] = at === 0 ? [oldRoot, ...proof] : proof
  if (first === undefined) return false
  let [before, now] = [first, first]
  for (const hash of rest) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      before = nodeHash(hash, before)
      now = nodeHash(hash, now)
      ;[at, last] = toOdd(at, last)
    } else now = nodeHash(now, hash)
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return last === 0 && sameDigest(before, oldRoot) && sameDigest(now, root)
}

/*
 * A tree in files that anybody may keep: tiles of 256 hashes, every eighth level of it, and its entries in bundles of 256.
 * A full one never changes. Source: C2SP tlog-tiles v0.1.0.
 */

/** Hashes in a full tile, entries in a full bundle. */
export const TILE_WIDTH = 256
const LEVELS_PER_TILE = 8
const HASH_BYTES = 32

/** Which tile: `level` counts tiles from the leaves up, `entries` is a bundle; `width` is less than 256 of a partial one. */
export interface Tile {
  readonly level: number | 'entries'
  readonly index: number
  readonly width: number
}

/** Where it stands below the origin's address. */
export function tilePath({ level, index, width }: Tile): string {
  const groups =
    String(index)
      .padStart(Math.ceil(String(index).length / 3) * 3, '0')
      .match(/\d{3}/g) ?? []
  const number = groups.map((group, i) => (i < groups.length - 1 ? `x${group}` : group)).join('/')
  return `tile/${level}/${number}${width === TILE_WIDTH ? '' : `.p/${width}`}`
}

const PATH = /^tile\/(entries|\d|[1-5]\d|6[0-3])\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/

/** The tile of a path; undefined for anything but what `tilePath` writes. */
export function parseTilePath(path: string): Tile | undefined {
  const [, level = '', number = '', width] = PATH.exec(path) ?? []
  const tile = {
    level: level === 'entries' ? level : Number(level),
    index: Number(number.replace(/[x/]/g, '')),
    width: Number(width ?? TILE_WIDTH),
  } as const
  const isKnown = tile.width <= TILE_WIDTH && tile.index < MAX_SIZE && tilePath(tile) === path
  return isKnown ? tile : undefined
}

/** How many hashes of this level a tree of that size has in all. */
export const hashesAt = (level: number, size: number): number => Math.floor(size / TILE_WIDTH ** level)

/** Has the tree of this size a tile or a bundle that is as wide, or wider? */
export function hasTile({ level, index, width }: Tile, size: number): boolean {
  const inAll = level === 'entries' ? size : hashesAt(level, size)
  return index * TILE_WIDTH + width <= inAll
}

/** Hashes of a tile, one after the other. @throws FormatError when these are not so many whole ones */
export function hashesIn(tile: Uint8Array, width: number): Digest[] {
  if (tile.length !== width * HASH_BYTES) throw new FormatError('$', `must be ${width} hashes`)
  return Array.from({ length: width }, (_, i) => tile.slice(i * HASH_BYTES, (i + 1) * HASH_BYTES) as Digest)
}

/** Reads hashes of a level of tiles: those from `first` on, so many. */
export type ReadHashes = (level: number, first: number, count: number) => Promise<readonly Digest[]>

/** Reads the hash of any complete subtree from the levels that tiles hold. */
export const readFromTiles =
  (read: ReadHashes): ReadHash =>
  async (level, index) => {
    const inTile = level % LEVELS_PER_TILE
    const count = 2 ** inTile
    const hashes = await read((level - inTile) / LEVELS_PER_TILE, index * count, count)
    if (hashes.length !== count) throw new RangeError(`the tiles lack subtree ${index} of level ${level}`)
    return hashOfRow(hashes)
  }

/** The hash over subtrees of one height, as many as a power of two, side by side. */
export function hashOfRow(hashes: readonly Digest[]): Digest {
  let row = hashes
  while (row.length > 1) row = pairs(row)
  const [hash] = row
  if (hash === undefined) throw new RangeError('no subtrees')
  return hash
}

const pairs = (hashes: readonly Digest[]): Digest[] =>
  Array.from({ length: Math.floor(hashes.length / 2) }, (_, i) => {
    const [left, right] = [hashes[2 * i], hashes[2 * i + 1]]
    if (left === undefined || right === undefined) throw new RangeError('a level of the tree has a gap')
    return nodeHash(left, right)
  })

/** An entry is this long at most: its length stands in two bytes. */
const MAX_ENTRY = 65_535

/** Entries one after the other, each after its length. @throws RangeError for one that is too long */
export function entryBundle(entries: readonly Uint8Array[]): Uint8Array {
  if (entries.some(({ length }) => length > MAX_ENTRY)) throw new RangeError('an entry is too long')
  return Uint8Array.from(entries.flatMap((entry) => [entry.length >> 8, entry.length & 255, ...entry]))
}

/** @throws FormatError unless it is exactly so many entries */
export function parseEntryBundle(bundle: Uint8Array, width: number): Uint8Array[] {
  const entries: Uint8Array[] = []
  let at = 0
  while (at < bundle.length && entries.length < width) {
    const end = at + 2 + (bundle[at] ?? 0) * 256 + (bundle[at + 1] ?? 0)
    if (end > bundle.length) throw new FormatError(`$[${entries.length}]`, 'is cut short')
    entries.push(bundle.slice(at + 2, end))
    at = end
  }
  if (at !== bundle.length || entries.length !== width) throw new FormatError('$', `must be ${width} entries`)
  return entries
}
