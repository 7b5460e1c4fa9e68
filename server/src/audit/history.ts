import { type ListPlace, type Paged, paged } from '@befaqt/domain/api/box-api'
import * as endpoints from '@befaqt/domain/api/endpoints/manage'
import { Change, changedEntities } from '@befaqt/domain/api/manage-api'
import type { Right } from '@befaqt/domain/rights'
import { and, eq, getTableColumns, inArray } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/client.ts'
import { countListed, falling, keysetPage } from '#server/db/keyset.ts'
import { apiKeys, users } from '#server/db/schema/accounts.ts'
import { changes } from '#server/db/schema/shop.ts'
import { timeText } from '#server/db/stored-values.ts'
import { ListQuery } from '#server/http/list-query.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { authorize, type Principal, SCHEDULE, SYSTEM } from '#server/identity/principal.ts'

const HistoryQuery = z.object({
  entity: z.enum(changedEntities),
  id: z.string().max(128).optional().describe('of one thing'),
  ...ListQuery.pick({ page: true, after: true, before: true }).shape,
})

const historyOperations = defineRoutes(endpoints, {
  readHistory: {
    summary: 'Who changed what, newest first.',
    access: 'staff',
    limits: 'manage-read',
    query: HistoryQuery,
    responses: { 200: paged(Change) },
  },
})

/** The audit log, for managers. */
export function historyRoutes(app: FastifyInstance, deps: { db: Db }): void {
  registerRoute(app, historyOperations.readHistory, ({ principal, query }) => {
    assertMayRead(principal, query.entity)
    return readHistory(deps.db, query)
  })
}

/** The right that reading the history of a kind of thing takes; null: an owner's alone. */
const rightFor: Readonly<Record<Change['entity'], Right | null>> = {
  user: 'user:write',
  category: 'shop:write',
  product: 'shop:write',
  coupon: 'shop:write',
  box: 'box:write',
  supplier: 'box:write',
  device: 'device:write',
  slot: 'order:read',
  'slot-rule': 'order:read',
  'closed-day': 'order:read',
  mail: 'site:write',
  site: 'site:write',
  key: null,
  webhook: null,
  backup: null,
  staff: null,
}

/** @throws ShopError `auth.forbidden` */
function assertMayRead(principal: Principal, entity: Change['entity']): void {
  const right = rightFor[entity]
  authorize(right === null ? 'admin' : { right, people: true }, principal)
}

/** Audit entries, newest first: of one entity with `id`, else of all of its kind. */
async function readHistory(
  db: Db,
  { entity, id, ...place }: ListPlace & { entity: Change['entity']; id?: string | undefined },
): Promise<Paged<Change>> {
  const ofEntity = and(eq(changes.entity, entity), id === undefined ? undefined : eq(changes.entityId, id))
  const { rows: found, ...page } = await keysetPage(
    place,
    { keys: [falling(changes.id)], of: ['history', { entity, id }] },
    ({ where, order, limit, offset, at }) =>
      db
        .select({ ...getTableColumns(changes), at })
        .from(changes)
        .where(and(ofEntity, where))
        .orderBy(...order)
        .limit(limit)
        .offset(offset),
    (beyond) => countListed(db, changes, ofEntity, beyond),
  )
  const names = await actorNames(
    db,
    found.map(({ who }) => who),
  )
  const rows = found.map(({ at: _, ...change }) => ({
    ...change,
    before: change.before ?? null,
    after: change.after ?? null,
    who: names.get(change.who) ?? change.who,
    happenedAt: timeText(change.happenedAt),
  }))
  return { ...page, rows }
}

/** The prefix of an API key's actor id. */
const KEY = 'key:'

/**
 * Display names by actor id, for managers: users by their names, API keys by the name of the key. Unknown and deleted
 * actors are left out.
 */
export async function actorNames(db: Db | Tx, who: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  if (who.includes(SYSTEM)) names.set(SYSTEM, 'the shop itself')
  if (who.includes(SCHEDULE)) names.set(SCHEDULE, 'its schedule')
  const keyIds = who.filter((one) => one.startsWith(KEY)).map((one) => one.slice(KEY.length))
  if (keyIds.length > 0) {
    const found = await db
      .select({ id: apiKeys.id, name: apiKeys.name })
      .from(apiKeys)
      .where(inArray(apiKeys.id, keyIds))
    for (const { id, name } of found) names.set(`${KEY}${id}`, `machine key ${name}`)
  }
  const people = who.filter((one) => !one.startsWith(KEY))
  if (people.length > 0) {
    const { id, fname, lname } = users
    for (const one of await db.select({ id, fname, lname }).from(users).where(inArray(id, people)))
      names.set(one.id, `${one.fname} ${one.lname}`)
  }
  return names
}
