import { paged } from '@befaqt/domain/api/box-api'
import * as endpoints from '@befaqt/domain/api/endpoints/trackers'
import {
  NoTemperature,
  readLorawan,
  readTive,
  TiveMessage,
} from '@befaqt/domain/device-formats/tracker-messages'
import { rejectFutureTimes } from '@befaqt/domain/market-time'
import type { TrackerMessage } from '@befaqt/domain/tracker'
import { Assignment, TrackerView } from '@befaqt/domain/tracker'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { parse } from '#server/http/errors.ts'
import { defineRoutes, type Reads, rawBody, registerReads, registerRoute } from '#server/http/route.ts'
import { fieldErrors, refusedFor } from '#server/ingestion/incoming-reading.ts'
import { BatchAnswer } from '#server/ingestion/routes.ts'
import type { SenderLimit } from '#server/ingestion/sender-limit.ts'
import type { StoringDeps } from '#server/ingestion/store-readings.ts'
import { assignTracker } from './assign-tracker.ts'
import { answerOf, ingestTrackerReading } from './ingest-tracker-reading.ts'
import { listTrackers, TrackerQuery } from './read-trackers.ts'

const webhook = { access: { right: 'record:write' }, limits: 'readings' } as const
const Message = z.record(z.string(), z.unknown())

export const trackerOperations = defineRoutes(endpoints, {
  listTrackers: {
    summary: 'Devices of other services, with the box that each travels with, newest first.',
    access: { right: 'device:write', allBoxes: true },
    limits: 'manage-read',
    query: TrackerQuery,
    responses: { 200: paged(TrackerView) },
  },
  assignTracker: {
    summary: 'Say with which box a device of another service travels from a time on.',
    access: { right: 'device:write', allBoxes: true },
    limits: 'manage-write',
    body: Assignment,
    responses: { 200: TrackerView },
    errors: [404],
  },
  receiveTive: {
    ...webhook,
    keyHeader: 'tiveapikey',
    summary: 'Webhook of Tive; the key may be in the header TiveApiKey.',
    body: rawBody({ 'application/json': TiveMessage }),
    responses: { 200: BatchAnswer },
  },
  receiveLorawan: {
    ...webhook,
    summary: 'HTTP integration of ChirpStack 4, webhook of The Things Stack 3.',
    body: rawBody({ 'application/json': Message }),
    responses: { 200: BatchAnswer },
  },
})

const NOTHING: BatchAnswer = { accepted: 0, duplicates: 0, refused: [] }

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const trackerReads = {
  listTrackers: ({ db, now }, { query }) => listTrackers(db, query, now()),
} satisfies Reads<typeof trackerOperations, Pick<StoringDeps, 'db' | 'now'>>

/** Readings of other services' devices. Source: standards.md 'Formats that really come in'. */
export function trackerRoutes(app: FastifyInstance, deps: StoringDeps, limit: SenderLimit): void {
  registerReads(app, trackerOperations, trackerReads, deps)
  registerRoute(app, trackerOperations.assignTracker, ({ principal, params, request }) => {
    const clock = { now: deps.now(), timeZone: deps.siteFile.market.timeZone }
    const body = parse(rejectFutureTimes(Assignment, clock), request.body)
    return assignTracker(deps, principal, params.id, body)
  })
  registerRoute(app, trackerOperations.receiveTive, async ({ principal, request }) => {
    const message = readMessage(() => readTive(TiveMessage.parse(request.body)))
    return 'refused' in message
      ? message
      : limit(principal, 1, () => ingestTrackerReading(deps, principal, 'tive', message))
  })
  registerRoute(app, trackerOperations.receiveLorawan, async ({ principal, request }) => {
    const message = readMessage(() => readLorawan(request.body, deps.now()))
    return 'refused' in message
      ? message
      : limit(principal, 1, () => ingestTrackerReading(deps, principal, 'lorawan', message))
  })
}

/** A message's reading, or the answer where there is none: these services repeat what is not answered with 200. */
function readMessage(read: () => TrackerMessage): NonNullable<TrackerMessage> | BatchAnswer {
  try {
    return read() ?? NOTHING
  } catch (error) {
    if (error instanceof NoTemperature) return answerOf(refusedFor('', error.message))
    if (error instanceof z.ZodError) return answerOf({ refused: fieldErrors(error) })
    throw error
  }
}
