import { parseStrictJson } from '#server/http/strict-json.ts'
import { ingestReadings, type Submission } from './ingest-readings.ts'
import type { Rejection } from './outcome.ts'
import { isCose } from './signed-submissions.ts'
import type { StoringDeps } from './store-readings.ts'

/** What a device published on the topic of a box. */
export type Message = { box: string; payload: Uint8Array; sent?: 'key' }

/** A reading has some 200 bytes; one of an outside broker could be of any size. */
const MAX_BYTES = 16 * 1024

/** Longest text of a rejected reading that is returned, so that its sender recognises it. */
const MAX_ECHO_LENGTH = 200

/**
 * Takes readings in that came as messages. Answers for each, once it is safe, what is to be said on the box's topic
 * for rejections, as JSON `{"id"?, "iotID"?, "time"?, "refused": [{"path", "message"}]}`; null for a reading that is
 * stored, now or before; an error for one that is not safe, as none is when it throws.
 */
export async function ingestMessages(
  deps: StoringDeps,
  messages: readonly Message[],
): Promise<(string | null | Error)[]> {
  const submissions = messages.map(read)
  const outcomes = await ingestReadings(deps, submissions)
  return outcomes.map((ofMessage, i) => {
    const error = ofMessage.find((outcome) => outcome instanceof Error)
    if (error !== undefined) return error
    const rejection = ofMessage.find((outcome) => typeof outcome === 'object')
    return rejection === undefined ? null : JSON.stringify({ ...nameOf(submissions[i]), ...rejection })
  })
}

function read({ box, payload, sent }: Message): Submission | Rejection {
  if (payload.byteLength > MAX_BYTES)
    return { refused: [{ path: '', message: `is longer than ${MAX_BYTES} bytes` }] }
  if (isCose(payload)) return { box, input: payload }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(payload)
    return { box, input: parseStrictJson(text), sent }
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it is not UTF-8'
    return {
      refused: [{ path: '', message: `is not readable as JSON: ${reason}`.slice(0, MAX_ECHO_LENGTH) }],
    }
  }
}

/** What names a reading, as far as its sender gave it. */
function nameOf(submission: Submission | Rejection | undefined): Record<string, string> {
  if (submission === undefined || 'refused' in submission) return {}
  const { input } = submission
  if (typeof input !== 'object' || input === null) return {}
  const named = Object.entries(input).filter(([name]) => ['id', 'iotID', 'time', 'key'].includes(name))
  return Object.fromEntries(
    named.flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value.slice(0, MAX_ECHO_LENGTH)]] : [],
    ),
  )
}
