import { textOf } from '../digest.ts'
import { ask } from '../log/ask.ts'
import { MAX_NOTE, type VerifierKey } from '../log/note.ts'
import { type OpenedCheckpoint, openCheckpoint } from '../log/signed-checkpoint.ts'
import {
  hashesAt,
  hashesIn,
  parseEntryBundle,
  type ReadHash,
  readFromTiles,
  TILE_WIDTH,
  tilePath,
} from '../log/tree.ts'

const TIMEOUT_MS = 10_000
const TILE_BYTES = TILE_WIDTH * 32
/** An entry says an anchor, in less than 200 bytes; no bundle of more is read. */
const BUNDLE_BYTES = TILE_WIDTH * 512

/** A log as it stands at its own address; nothing but the signature of its checkpoint is believed. */
export interface ShownLog {
  readonly note: string
  readonly opened: OpenedCheckpoint
  /** From its tiles, each of which is fetched once. */
  readonly hash: ReadHash
  /** Entries from one on, up to the end of its bundle or of the log. */
  entries(from: number): Promise<Uint8Array[]>
}

/**
 * The log of a key at an address; undefined: it has no checkpoint yet.
 * @throws Error when it can't be reached, or shows what is none
 */
export async function readLog(
  log: VerifierKey,
  logUrl: string,
  signal: AbortSignal,
): Promise<ShownLog | undefined> {
  const get = async (path: string, maxBytes: number): Promise<Uint8Array | undefined> => {
    const answer = await ask(`${logUrl}/${path}`, { maxBytes, timeoutMs: TIMEOUT_MS, signal })
    if (answer.status === 404) return undefined
    if (answer.status !== 200) throw new Error(`${path} of the log answered with ${answer.status}`)
    return answer.body
  }
  const tile = async (path: string, bytes: number): Promise<Uint8Array> => {
    const found = await get(path, bytes)
    if (found === undefined) throw new Error(`the log has no ${path}`)
    return found
  }
  const found = await get('checkpoint', 3 * MAX_NOTE)
  if (found === undefined) return undefined
  const note = textOf(found)
  const opened = await openCheckpoint(note, [log], [])
  const { size } = opened.checkpoint
  const known = new Map<string, Promise<Uint8Array>>()
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
  return { note, opened, hash, entries }
}
