import { DeviceReading, FieldReading } from '@befaqt/domain/box-input'
import { type Clock, rejectFutureTimes } from '@befaqt/domain/future-times'
import type { RecordedReading } from '@befaqt/domain/recorded-reading'
import type { IncomingReading } from './incoming-reading.ts'
import { fieldErrors, type Outcome, type Rejection, refusedFor } from './outcome.ts'
import { isSigned, readClaim } from './signed-submissions.ts'
import { type StoringDeps, storeReadings } from './store-readings.ts'
import { type BroughtClaim, verifyClaims } from './verify-claims.ts'

/** A reading as it came, or what a device signed: then of one reading or of several. */
export type Submission = {
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
