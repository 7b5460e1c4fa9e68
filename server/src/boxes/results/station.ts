import * as endpoints from '@befaqt/domain/api/endpoints/station'
import { StationBox, StationView } from '@befaqt/domain/api/station-api'
import { and, count, eq, inArray } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { boxIDOf } from '#server/boxes/box-id-of.ts'
import { boxNotFound } from '#server/boxes/lock-box.ts'
import type { Db } from '#server/db/client.ts'
import { apiKeys } from '#server/db/schema/accounts.ts'
import { boxes, records } from '#server/db/schema/boxes.ts'
import { timeText } from '#server/db/stored-values.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import type { Principal } from '#server/identity/principal.ts'

const read = { access: { right: 'record:write' }, limits: 'manage-read' } as const

export const stationOperations = defineRoutes(endpoints, {
  readStation: {
    ...read,
    summary: 'Who sends results: the name and the rights of a key, or a manager.',
    responses: { 200: StationView },
  },
  readStationBox: {
    ...read,
    summary: 'The box that a station is about to add a result to.',
    responses: { 200: StationBox },
  },
})

/** What the page of a station without an API reads. Source: docs/decisions/0058-stations.md. */
export function stationRoutes(app: FastifyInstance, { db }: { db: Db }): void {
  registerRoute(app, stationOperations.readStation, ({ principal }) => whoSends(db, principal))
  registerRoute(app, stationOperations.readStationBox, ({ params, principal }) =>
    stationBox(db, boxIDOf(params, principal)),
  )
}

async function whoSends(db: Db, principal: Principal): Promise<StationView> {
  if (principal.kind !== 'key')
    return { name: principal.kind === 'user' ? principal.fname : '', rights: null, boxes: null }
  const [key] = await db.select({ name: apiKeys.name }).from(apiKeys).where(eq(apiKeys.id, principal.keyId))
  const limits = principal.boxes
  return { name: key?.name ?? '', rights: [...principal.rights], boxes: limits && [...limits] }
}

/** @throws ShopError `box.not_found` */
async function stationBox(db: Db, boxID: string): Promise<StationBox> {
  const [box] = await db.select().from(boxes).where(eq(boxes.id, boxID))
  if (box === undefined) throw boxNotFound()
  const counted = await db
    .select({ kind: records.kind, results: count() })
    .from(records)
    .where(and(eq(records.boxId, boxID), inArray(records.kind, ['image-result', 'enose-result'])))
    .groupBy(records.kind)
  const resultsOf = (of: string): number => counted.find(({ kind }) => kind === of)?.results ?? 0
  const { species, trader, sealed } = box
  const counts = { images: resultsOf('image-result'), enoses: resultsOf('enose-result') }
  return { boxID, species, trader, caughtAt: timeText(box.caughtAt), sealed, ...counts }
}
