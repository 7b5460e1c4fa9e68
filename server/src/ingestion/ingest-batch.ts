import { schemaNames } from '@befaqt/domain/api/schema-names'
import { TrackingBatch } from '@befaqt/domain/box-input'
import { z } from 'zod'
import { parseOutline } from '#server/http/errors.ts'
import { BOX_NOT_ALLOWED, canAccessBox, type Principal } from '#server/identity/principal.ts'
import { ingestReadings } from './ingest-readings.ts'
import type { Outcome } from './outcome.ts'
import type { StoringDeps } from './store-readings.ts'

/** What POST /api/tracking answers; `index` is the place among the readings, `path` the field in that reading. */
export const BatchAnswer = z
  .strictObject({
    accepted: z.int(),
    duplicates: z.int(),
    refused: z.array(z.strictObject({ index: z.int(), path: z.string(), message: z.string() })),
  })
  .register(schemaNames, { id: 'BatchAnswer' })
export type BatchAnswer = z.infer<typeof BatchAnswer>

/**
 * Ingests up to 1,000 readings: valid ones are stored although others are rejected. Source: running.md.
 * @throws ShopError `input.invalid` when it is no list of at most so many; any other error when some could not be
 * stored: the batch may be sent again, and what is stored of it is then a duplicate
 */
export async function ingestBatch(
  deps: StoringDeps,
  principal: Principal,
  body: unknown,
): Promise<BatchAnswer> {
  const { readings } = parseOutline(TrackingBatch, body)
  const accessError = (boxID: string) => (canAccessBox(principal, boxID) ? undefined : BOX_NOT_ALLOWED)
  const sent = principal.kind === 'key' ? 'key' : undefined
  const taken = await ingestReadings(
    deps,
    readings.map((input) => ({ input, accessError, sent })),
  )
  const outcomes = taken.flatMap((answers, index) =>
    answers.map((outcome) => ({ index, outcome: stored(outcome) })),
  )
  return {
    accepted: outcomes.filter(({ outcome }) => outcome === 'accepted').length,
    duplicates: outcomes.filter(({ outcome }) => outcome === 'duplicate').length,
    refused: outcomes.flatMap(({ index, outcome }) =>
      typeof outcome === 'string' ? [] : outcome.refused.map((fault) => ({ index, ...fault })),
    ),
  }
}

function stored(outcome: Outcome | Error): Outcome {
  if (outcome instanceof Error) throw outcome
  return outcome
}
