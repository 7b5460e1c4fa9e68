import * as endpoints from '@befaqt/domain/api/endpoints/box-events'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { boxIDOf } from '#server/boxes/box-id-of.ts'
import { PositionText } from '#server/boxes/position.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { type EventStreamDeps, eventStreams } from './streams.ts'

export const boxEventOperations = defineRoutes(endpoints, {
  followBox: {
    access: 'public',
    limits: 'stream',
    summary:
      'Server-sent events: `record` for each new record, as proofs hold it, and `anchor` when one is confirmed in which the box has grown.',
    query: z.object({
      after: PositionText.optional().describe(
        'the id of the last event that was heard, as Last-Event-ID is; without it: what comes from now on',
      ),
    }),
    responses: { 200: 'text/event-stream' },
    errors: [409],
  },
})

/** The news of a box while it is followed. Source: running.md 'Records from the field'. */
export function boxEventRoutes(app: FastifyInstance, deps: EventStreamDeps): void {
  const streams = eventStreams(app, deps)
  registerRoute(app, boxEventOperations.followBox, ({ params, query, request, reply }) =>
    streams.open(request, reply, boxIDOf(params), query.after),
  )
}
