import { type Digest, sameDigest } from '../digest.ts'
import { FormatError } from '../format-error.ts'
import type { Checkpoint } from './checkpoint.ts'
import {
  hashesAt,
  hashesIn,
  hashOfRow,
  leafHash,
  parseEntryBundle,
  proveConsistency,
  type ReadHash,
  readFromTiles,
  rootOf,
  TILE_WIDTH,
  tilePath,
  verifyConsistency,
} from './tree.ts'

/** Reads what stands at a path below a log's address, of so many bytes at most; undefined: nothing is there. */
export type GetPath = (path: string, maxBytes: number) => Promise<Uint8Array | undefined>

const TILE_BYTES = TILE_WIDTH * 32
/** An entry says an anchor, in less than 200 bytes; no bundle of more is read. */
const BUNDLE_BYTES = TILE_WIDTH * 512

/** A log of so many entries as its tiles have it. Nothing of it is believed: who reads it compares it with a root. */
export interface LogTiles {
  /** From tiles, each of which is fetched once. */
  readonly hash: ReadHash
  /** Entries from one on, up to the end of its bundle or of the log. */
  entries(from: number): Promise<Uint8Array[]>
}

/** Its parts reject where a tile is missing or is none. Source: C2SP tlog-tiles. */
export function logTiles(size: number, get: GetPath): LogTiles {
  const known = new Map<string, Promise<Uint8Array>>()
  const tile = async (path: string, bytes: number): Promise<Uint8Array> => {
    const found = await get(path, bytes)
    if (found === undefined) throw new Error(`the log has no ${path}`)
    return found
  }
  const hash = readFromTiles(async (level, first, count) => {
    const index = Math.floor(first / TILE_WIDTH)
    const width = Math.min(TILE_WIDTH, hashesAt(level, size) - index * TILE_WIDTH)
    const path = tilePath({ level, index, width })
    const hashes = known.get(path) ?? tile(path, TILE_BYTES)
    known.set(path, hashes)
    const start = first % TILE_WIDTH
    return hashesIn(await hashes, width).slice(start, start + count)
  })
  const entries = async (from: number): Promise<Uint8Array[]> => {
    const index = Math.floor(from / TILE_WIDTH)
    const width = Math.min(TILE_WIDTH, size - index * TILE_WIDTH)
    const bundle = await tile(tilePath({ level: 'entries', index, width }), BUNDLE_BYTES)
    return parseEntryBundle(bundle, width).slice(from % TILE_WIDTH)
  }
  return { hash, entries }
}

/** The root that a log had with so many entries, proven to be continued by that of now. Rejects where it is not. */
export async function provenRoot(
  size: number,
  now: Pick<Checkpoint, 'size' | 'root'>,
  { hash }: Pick<LogTiles, 'hash'>,
): Promise<Digest> {
  const root = await rootOf(size, hash)
  const proof = await proveConsistency(size, now.size, hash)
  if (!verifyConsistency([size, root], [now.size, now.root], proof))
    throw new FormatError('$', 'the tiles are not those of the checkpoint')
  return root
}

/** All entries of a log, at most so many, which are those of its checkpoint. Rejects where the log does not show them. */
export async function readEntries(
  { size, root }: Pick<Checkpoint, 'size' | 'root'>,
  { entries }: Pick<LogTiles, 'entries'>,
  most: number,
): Promise<Uint8Array[]> {
  if (size > most) throw new Error(`it has more than ${most} entries`)
  const read: Uint8Array[] = []
  while (read.length < size) {
    const found = await entries(read.length)
    if (found.length === 0) throw new Error('it does not show all of its entries')
    read.push(...found)
  }
  const leaves = read.map(leafHash)
  const own = await rootOf(size, async (level, index) =>
    hashOfRow(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level)),
  )
  if (!sameDigest(own, root)) throw new Error('its entries are not those that it signed')
  return read
}
