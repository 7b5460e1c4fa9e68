import {
  hashesAt,
  hashesIn,
  parseEntryBundle,
  type ReadHash,
  readFromTiles,
  TILE_WIDTH,
  tilePath,
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
