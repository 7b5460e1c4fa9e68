import type { Paged } from '@befaqt/domain/api/box-api'
import type { Change } from '@befaqt/domain/api/manage-api'
import { and, count, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { apiKeys, users } from '#server/db/schema/accounts.ts'
import { changes } from '#server/db/schema/shop.ts'

export const HISTORY_PAGE_SIZE = 50

/** Who changed what, newest first: of one thing with `id`, else of all of its kind. */
export async function readHistory(
  db: Db,
  { entity, id, page = 1 }: { entity: Change['entity']; id?: string | undefined; page?: number },
): Promise<Paged<Change>> {
  const where = and(eq(changes.entity, entity), id === undefined ? undefined : eq(changes.entityId, id))
  const [all] = await db.select({ total: count() }).from(changes).where(where)
  const found = await db
    .select({ change: changes, fname: users.fname, lname: users.lname, key: apiKeys.name })
    .from(changes)
    .leftJoin(users, eq(users.id, changes.who))
    .leftJoin(apiKeys, sql`${changes.who} = 'key:' || ${apiKeys.id}`)
    .where(where)
    .orderBy(desc(changes.id))
    .limit(HISTORY_PAGE_SIZE)
    .offset((page - 1) * HISTORY_PAGE_SIZE)
  const rows = found.map(({ change, fname, lname, key }) => ({
    ...change,
    before: change.before ?? null,
    after: change.after ?? null,
    who: fname !== null ? `${fname} ${lname}` : key !== null ? `key ${key}` : change.who,
    happenedAt: change.happenedAt.toISOString(),
  }))
  return { rows, page, size: HISTORY_PAGE_SIZE, total: all?.total ?? 0 }
}
