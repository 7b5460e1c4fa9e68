import { DeviceReading, FieldReading } from '@befaqt/domain/box'
import type { RecordedReading } from '@befaqt/domain/box-records'
import { type Clock, rejectFutureTimes } from '@befaqt/domain/market-time'
import { parseStrictJson } from '#server/http/strict-json.ts'
import {
  fieldErrors,
  type IncomingReading,
  type Outcome,
  type Rejection,
  refusedFor,
} from './incoming-reading.ts'
import { type BroughtClaim, isCose, isSigned, readClaim, verifyClaims } from './signed-readings.ts'
import { type StoringDeps, storeReadings } from './store-readings.ts'

/** A reading as it came, or what a device signed: then of one reading or of several. */
type Submission = {
  /** JSON, or the bytes of a COSE_Sign1 message. */
  input: unknown
  /** Its box where the topic names it; else the reading does. */
  box?: string
  /** Whoever brought it showed a key. */
  sent?: 'key' | undefined
  /** The logger's file that it is of. */
  file?: RecordedReading['file']
  /** Why whoever brought it may not touch this box; undefined when they may. */
  accessError?: (boxID: string) => string | undefined
}

/** Readings that are stored together: statements hold several. */
const MAX_TOGETHER = 1_000
const TOO_MANY = refusedFor('', `more than ${MAX_TOGETHER} readings came together: send this again`)

/**
 * Ingests readings, however they came: parses each with the schema that all share, verifies what was signed, stores the
 * good ones together, and answers what became of the readings of each submission. A bad one holds up no other; what
 * nobody could read comes as a rejection. An error: it could not be stored now, and may be sent again.
 */
export async function ingestReadings(
  deps: StoringDeps,
  submissions: readonly (Submission | Rejection)[],
): Promise<(Outcome | Error)[][]> {
  const clock = { now: deps.now(), timeZone: deps.siteFile.market.timeZone }
  const parts = await readAll(deps, submissions, clock)
  const fitting = upTo(MAX_TOGETHER)
  const items = parts.flatMap((part, i) => fitting(part).map((one) => ({ i, one })))
  const outcomes = await storeReadings(
    deps,
    items.map(({ one }) => one),
  )
  const answers: (Outcome | Error)[][] = submissions.map(() => [])
  for (const [n, outcome] of outcomes.entries()) {
    answers[items[n]?.i ?? 0]?.push(outcome)
    if (!(outcome instanceof Error))
      deps.ingestion.counts[typeof outcome === 'string' ? outcome : 'refused']++
  }
  return answers
}

type Part = readonly (IncomingReading | Rejection)[]

/** The readings of each submission, or why they are refused. */
async function readAll(
  deps: StoringDeps,
  submissions: readonly (Submission | Rejection)[],
  clock: Clock,
): Promise<Part[]> {
  const readPlain = plainReader(clock)
  const claims: BroughtClaim[] = []
  const claimed = submissions.map((one): Part | number => {
    if ('refused' in one) return [one]
    if (!isSigned(one.input)) return [readPlain(one)]
    const claim = readClaim(one.input, one.box, clock)
    if ('refused' in claim) return [claim]
    return claims.push({ ...claim, box: one.box }) - 1
  })
  const verified = await verifyClaims(deps.db, claims, clock)
  return claimed.map((part, i) => {
    if (typeof part !== 'number') return part
    const [found, submission] = [verified[part], submissions[i]]
    if (found === undefined || submission === undefined || 'refused' in submission) return []
    return 'refused' in found ? [found] : found.map((reading) => allowed(submission, reading))
  })
}

/** Reads submissions without a signature as of this moment at the market: a time after it is refused. */
function plainReader(clock: Clock): (submission: Submission) => IncomingReading | Rejection {
  const whole = rejectFutureTimes(FieldReading, clock)
  const withoutBox = rejectFutureTimes(DeviceReading, clock)
  return (submission) => {
    const { input, box, sent, file } = submission
    const parsed = (box === undefined ? whole : withoutBox).safeParse(input)
    if (!parsed.success) return { refused: fieldErrors(parsed.error) }
    return allowed(submission, {
      box: box ?? '',
      ...parsed.data,
      ...(sent && { sent }),
      ...(file && { file }),
    })
  }
}

function allowed({ accessError }: Submission, reading: IncomingReading): IncomingReading | Rejection {
  const message = accessError?.(reading.box)
  return message === undefined ? reading : refusedFor('box', message)
}

/** Accepts parts up to `most` readings in total; a part that would exceed it is rejected whole. */
function upTo(most: number): (part: Part) => Part {
  let count = 0
  return (part) => {
    if (count + part.length > most) return [TOO_MANY]
    count += part.length
    return part
  }
}

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
