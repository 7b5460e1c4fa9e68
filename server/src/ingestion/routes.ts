import * as endpoints from '@befaqt/domain/api/endpoints/boxes'
import { FieldReading, MAX_FIELD_READINGS, TrackingBatch } from '@befaqt/domain/box'
import { schemaNames } from '@befaqt/domain/fields'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { parseOutline } from '#server/http/errors.ts'
import { defineRoutes, rawBody, registerRoute } from '#server/http/route.ts'
import { BOX_NOT_ALLOWED, canAccessBox, type Principal } from '#server/identity/principal.ts'
import type { Outcome } from './incoming-reading.ts'
import { ingestReadings } from './ingest-readings.ts'
import type { SenderLimit } from './sender-limit.ts'
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

const ingestionOperations = defineRoutes(endpoints, {
  sendReadings: {
    summary:
      'Send up to 1,000 readings of any boxes: good ones are kept, what is refused is reported by index.',
    access: { right: 'record:write' },
    limits: 'readings',
    body: rawBody({
      'application/json': TrackingBatch.extend({
        readings: z.array(FieldReading).max(MAX_FIELD_READINGS),
      }),
    }),
    responses: { 200: BatchAnswer },
  },
})

/** Readings over HTTP. Source: running.md 'Records from the field'. */
export function ingestionRoutes(app: FastifyInstance, deps: StoringDeps, limit: SenderLimit): void {
  registerRoute(app, ingestionOperations.sendReadings, ({ principal, request }) =>
    limit(principal, countIn(request.body), () => ingestBatch(deps, principal, request.body)),
  )
}

/** How many readings a body is said to hold, before it is looked at. */
function countIn(body: unknown): number {
  const readings = typeof body === 'object' && body !== null && 'readings' in body ? body.readings : undefined
  return Array.isArray(readings) ? readings.length : 0
}

/**
 * Ingests up to 1,000 readings: valid ones are stored although others are rejected. Source: running.md.
 * @throws ShopError `input.invalid` when it is no list of at most so many; any other error when some could not be
 * stored: the batch may be sent again, and what is stored of it is then a duplicate
 */
async function ingestBatch(deps: StoringDeps, principal: Principal, body: unknown): Promise<BatchAnswer> {
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
