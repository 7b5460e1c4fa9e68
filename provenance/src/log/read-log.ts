import { textOf } from '../digest.ts'
import { ask } from './ask.ts'
import { MAX_NOTE, type VerifierKey } from './note.ts'
import { type OpenedCheckpoint, openCheckpoint } from './signed-checkpoint.ts'
import { type GetPath, type LogTiles, logTiles } from './tiles.ts'

const TIMEOUT_MS = 10_000

/** A log as it stands at its own address; nothing but the signature of its checkpoint is believed. */
export interface ShownLog extends LogTiles {
  readonly note: string
  readonly opened: OpenedCheckpoint
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
  const get = pathsAt(logUrl, signal)
  const found = await get('checkpoint', 3 * MAX_NOTE)
  if (found === undefined) return undefined
  const note = textOf(found)
  const opened = await openCheckpoint(note, [log], [])
  return { note, opened, ...logTiles(opened.checkpoint.size, get) }
}

/** Reads paths below the address of a log. */
const pathsAt =
  (logUrl: string, signal: AbortSignal): GetPath =>
  async (path, maxBytes) => {
    const answer = await ask(`${logUrl}/${path}`, { maxBytes, timeoutMs: TIMEOUT_MS, signal })
    if (answer.status === 404) return undefined
    if (answer.status !== 200) throw new Error(`${path} of the log answered with ${answer.status}`)
    return answer.body
  }
