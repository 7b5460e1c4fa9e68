import { TrackingBatch } from '@befaqt/domain/box-input'
import { type Asker, FOREIGN_BOX, touches } from '#server/auth/asker.ts'
import { parse } from '#server/http/errors.ts'
import type { StoringDeps } from './store-readings.ts'
import { takeReadings } from './take-readings.ts'

/** What POST /api/tracking answers; `index` is the place among the readings, `path` the field in that reading. */
export type BatchAnswer = {
  accepted: number
  duplicates: number
  refused: { index: number; path: string; message: string }[]
}

/**
 * Takes up to 1,000 readings in: good ones are kept although others are refused. Source: running.md.
 * @throws ShopError `input.invalid` when it is no list of at most so many
 */
export async function takeBatch(deps: StoringDeps, asker: Asker, body: unknown): Promise<BatchAnswer> {
  const { readings } = parse(TrackingBatch, body)
  const refusal = (boxID: string) => (touches(asker, boxID) ? undefined : FOREIGN_BOX)
  const outcomes = await takeReadings(
    deps,
    readings.map((input) => ({ input, refusal })),
  )
  return {
    accepted: outcomes.filter((outcome) => outcome === 'accepted').length,
    duplicates: outcomes.filter((outcome) => outcome === 'duplicate').length,
    refused: outcomes.flatMap((outcome, index) =>
      typeof outcome === 'string' ? [] : outcome.refused.map((fault) => ({ index, ...fault })),
    ),
  }
}
