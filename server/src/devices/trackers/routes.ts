import { type Paged, paged } from '@befaqt/domain/api/box-api'
import * as endpoints from '@befaqt/domain/api/endpoints/devices'
import {
  NoTemperature,
  readLorawan,
  readTive,
  TiveMessage,
} from '@befaqt/domain/device-formats/tracker-messages'
import { ShopError } from '@befaqt/domain/errors'
import { instantOf, rejectFutureTimes } from '@befaqt/domain/market-time'
import { Assignment, type TrackerMessage, TrackerView } from '@befaqt/domain/tracker'
import { and, desc, eq, ilike, inArray, lte, or, type SQL } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Market } from '#server/boxes/index.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { countListed, falling, keysetPage } from '#server/db/keyset.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { trackerAssignments, trackers } from '#server/db/schema/trackers.ts'
import { likeText } from '#server/db/search-and-order.ts'
import { parse } from '#server/http/errors.ts'
import { fieldError } from '#server/http/field-error.ts'
import { ListQuery, PLACE } from '#server/http/list-query.ts'
import { defineRoutes, type Reads, rawBody, registerReads, registerRoute } from '#server/http/route.ts'
import type { Principal } from '#server/identity/principal.ts'
import {
  BatchAnswer,
  fieldErrors,
  refusedFor,
  type SenderLimit,
  type StoringDeps,
} from '#server/ingestion/index.ts'
import { answerOf, ingestTrackerReading } from './ingest-tracker-reading.ts'

/** The query of the list of trackers. */
const TrackerQuery = ListQuery.pick({ ...PLACE, q: true })

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

type TrackerDeps = { db: Db; now: () => Date; siteFile: { market: Market } }

/**
 * Says with which box a tracker travels from a time on, until its next assignment. The same time again replaces what was
 * said of it. Readings that were stored stay where they are.
 * @throws ShopError `not_found`, `input.invalid` for a box that is not there
 */
async function assignTracker(
  { db, now, siteFile: { market } }: TrackerDeps,
  principal: Principal,
  id: string,
  { box, time }: Assignment,
): Promise<TrackerView> {
  const from = new Date(instantOf(time, market.timeZone) ?? now().getTime())
  return db.transaction(async (tx) => {
    const [known] = await tx.select().from(trackers).where(eq(trackers.id, id)).for('update')
    if (known === undefined) throw new ShopError('not_found', 'There is no such device.')
    if (box !== null) {
      const [there] = await tx.select({ id: boxes.id }).from(boxes).where(eq(boxes.id, box))
      if (there === undefined) throw fieldError('box', 'There is no such box.')
    }
    const before = await findTracker(tx, id, now())
    const { trackerId } = trackerAssignments
    await tx
      .insert(trackerAssignments)
      .values({ trackerId: id, from, boxId: box })
      .onConflictDoUpdate({ target: [trackerId, trackerAssignments.from], set: { boxId: box } })
    await writeAuditEntry(tx, principal, 'device', id, {
      before: { box: before?.assigned?.box ?? null, from: before?.assigned?.from ?? null },
      after: { box, from: from.toISOString() },
    })
    const after = await findTracker(tx, id, now())
    if (after === undefined) throw new Error('a tracker vanished while its row was locked')
    return after
  })
}

/** Trackers by their last message, newest first; `q` searches names and ids. */
async function listTrackers(
  db: Db,
  query: z.infer<typeof TrackerQuery>,
  now: Date,
): Promise<Paged<TrackerView>> {
  const text = likeText(query.q ?? '')
  const where = query.q ? or(ilike(trackers.name, text), ilike(trackers.deviceId, text)) : undefined
  const { rows: found, ...page } = await keysetPage(
    query,
    { keys: [falling(trackers.createdAt), falling(trackers.id)], of: ['trackers', query] },
    ({ where: beyond, order, limit, offset, at }) =>
      db
        .select({ id: trackers.id, at })
        .from(trackers)
        .where(and(where, beyond))
        .orderBy(...order)
        .limit(limit)
        .offset(offset),
    (beyond) => countListed(db, trackers, where, beyond),
  )
  const ids = found.map(({ id }) => id)
  return { ...page, rows: await select(db, inArray(trackers.id, ids), now) }
}

/** One tracker; undefined: none is known. */
const findTracker = async (db: Db | Tx, id: string, now: Date): Promise<TrackerView | undefined> =>
  (await select(db, eq(trackers.id, id), now))[0]

/** Trackers that match, newest first. */
async function select(db: Db | Tx, where: SQL, now: Date): Promise<TrackerView[]> {
  const assigned = db
    .select()
    .from(trackerAssignments)
    .where(and(eq(trackerAssignments.trackerId, trackers.id), lte(trackerAssignments.from, now)))
    .orderBy(desc(trackerAssignments.from))
    .limit(1)
    .as('assigned')
  const found = await db
    .select()
    .from(trackers)
    .leftJoinLateral(assigned, eq(assigned.trackerId, trackers.id))
    .where(where)
    .orderBy(desc(trackers.createdAt), desc(trackers.id))
  return found.map(({ trackers: row, assigned }) => viewOf(row, assigned))
}

function viewOf(
  row: typeof trackers.$inferSelect,
  assigned: typeof trackerAssignments.$inferSelect | null,
): TrackerView {
  const { id, source, deviceId, name, lastBox, readingAt, temperature, battery, heardAt, refusal } = row
  return {
    id,
    source,
    deviceId,
    name,
    assigned: assigned && { box: assigned.boxId, from: assigned.from.toISOString() },
    last:
      lastBox === null || readingAt === null || temperature === null
        ? null
        : { box: lastBox, readingAt: readingAt.toISOString(), temperature: Number(temperature.toFixed(2)) },
    battery,
    heardAt: heardAt.toISOString(),
    refusal,
  }
}
