import { DeviceReading, FieldReading } from '@befaqt/domain/box-input'
import { type Clock, rejectFutureTimes } from '@befaqt/domain/future-times'
import type { z } from 'zod'
import { toValidationError } from '#server/http/errors.ts'
import type { Outcome, Rejection } from './outcome.ts'
import { type StoringDeps, storeReadings } from './store-readings.ts'

/** A reading as it came. */
export type Submission = {
  input: unknown
  /** Its box where the topic names it; else the reading does. */
  box?: string
  /** Why whoever brought it may not touch this box; undefined when they may. */
  refusal?: (boxID: string) => string | undefined
}

/** More faults of one reading say nothing new. */
const MAX_FIELD_ERRORS = 10

/**
 * Takes readings in, however they came: reads each with the schema that all share, stores the good ones together, and
 * answers what became of each. A bad one holds up no other; what nobody could read comes as a refusal. An error: it
 * could not be stored now, and may be sent again.
 */
export async function ingestReadings(
  deps: StoringDeps,
  submissions: readonly (Submission | Rejection)[],
): Promise<(Outcome | Error)[]> {
  const read = reader({ now: deps.now(), timeZone: deps.siteFile.market.timeZone })
  const outcomes = await storeReadings(
    deps,
    submissions.map((one) => ('refused' in one ? one : read(one))),
  )
  for (const outcome of outcomes)
    if (!(outcome instanceof Error))
      deps.ingestion.counts[typeof outcome === 'string' ? outcome : 'refused']++
  return outcomes
}

/** Reads submissions as of this moment at the market: a time after it is refused. */
function reader(clock: Clock): (submission: Submission) => FieldReading | Rejection {
  const whole = rejectFutureTimes(FieldReading, clock)
  const withoutBox = rejectFutureTimes(DeviceReading, clock)
  return ({ input, box, refusal }) => {
    const parsed = (box === undefined ? whole : withoutBox).safeParse(input)
    if (!parsed.success) return { refused: fieldErrors(parsed.error) }
    const reading: FieldReading = { box: box ?? '', ...parsed.data }
    const message = refusal?.(reading.box)
    return message === undefined ? reading : { refused: [{ path: 'box', message }] }
  }
}

const fieldErrors = (error: z.ZodError) => toValidationError(error).fields.slice(0, MAX_FIELD_ERRORS)
