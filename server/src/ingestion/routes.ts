import * as endpoints from '@befaqt/domain/api/endpoints/readings'
import { FieldReading, MAX_FIELD_READINGS, TrackingBatch } from '@befaqt/domain/box-input'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { defineRoutes, rawBody, registerRoute } from '#server/http/route.ts'
import { BatchAnswer, ingestBatch } from './ingest-batch.ts'
import type { SenderLimit } from './sender-limit.ts'
import type { StoringDeps } from './store-readings.ts'

export const ingestionOperations = defineRoutes(endpoints, {
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
