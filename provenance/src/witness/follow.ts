import { textOf } from '../digest.ts'
import { addRequestText } from '../log/add-checkpoint.ts'
import { ask } from '../log/ask.ts'
import { MAX_NOTE, type VerifierKey } from '../log/note.ts'
import { openCheckpoint } from '../log/signed-checkpoint.ts'
import {
  hashesAt,
  hashesIn,
  proveConsistency,
  type ReadHashes,
  readFromTiles,
  TILE_WIDTH,
  tilePath,
} from '../log/tree.ts'
import type { Reply, Witness } from './witness.ts'

const TIMEOUT_MS = 10_000
const TILE_BYTES = TILE_WIDTH * 32

/**
 * Fetches the newest checkpoint of a log, makes the proof that it continues ours from the log's own tiles, and hands both
 * to the witness, as the log itself could.
 * @throws Error when the log can't be reached, or shows what is none
 */
export async function followOnce(
  witness: Witness,
  { log, logUrl, signal }: { log: VerifierKey; logUrl: string; signal: AbortSignal },
): Promise<Reply | 'nothing'> {
  const get = async (path: string, maxBytes: number): Promise<Uint8Array | undefined> => {
    const answer = await ask(`${logUrl}/${path}`, { maxBytes, timeoutMs: TIMEOUT_MS, signal })
    if (answer.status === 404) return undefined
    if (answer.status !== 200) throw new Error(`${path} of the log answered with ${answer.status}`)
    return answer.body
  }
  const found = await get('checkpoint', 3 * MAX_NOTE)
  if (found === undefined) return 'nothing'
  const note = textOf(found)
  const { size } = (await openCheckpoint(note, [log], [])).checkpoint
  const old = witness.size
  if (size < old) throw new Error(`the log shows ${size} entries, and it had ${old}`)
  const read = tilesOf(size, async (path, bytes) => {
    const tile = await get(path, bytes)
    if (tile === undefined) throw new Error(`the log has no ${path}`)
    return tile
  })
  const proof = await proveConsistency(old, size, readFromTiles(read))
  return witness.add(addRequestText({ old, proof, note }))
}

/** Reads hashes from the tiles of a log of this size, each once. */
function tilesOf(size: number, get: (path: string, bytes: number) => Promise<Uint8Array>): ReadHashes {
  const known = new Map<string, Promise<Uint8Array>>()
  return async (level, first, count) => {
    const index = Math.floor(first / TILE_WIDTH)
    const width = Math.min(TILE_WIDTH, hashesAt(level, size) - index * TILE_WIDTH)
    const path = tilePath({ level, index, width })
    const tile = known.get(path) ?? get(path, TILE_BYTES)
    known.set(path, tile)
    const start = first % TILE_WIDTH
    return hashesIn(await tile, width).slice(start, start + count)
  }
}
