import type { Paged } from '@befaqt/domain/api/box-api'
import type { Change } from '@befaqt/domain/api/manage-api'
import { and, count, desc, eq } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { changes } from '#server/db/schema/shop.ts'
import { timeText } from '#server/db/stored-values.ts'
import { actorNames } from './actor-names.ts'

export const HISTORY_PAGE_SIZE = 50

/** Audit entries, newest first: of one entity with `id`, else of all of its kind. */
export async function readHistory(
  db: Db,
  { entity, id, page = 1 }: { entity: Change['entity']; id?: string | undefined; page?: number },
): Promise<Paged<Change>> {
  const where = and(eq(changes.entity, entity), id === undefined ? undefined : eq(changes.entityId, id))
  const [all] = await db.select({ total: count() }).from(changes).where(where)
  const found = await db
    .select()
    .from(changes)
    .where(where)
    .orderBy(desc(changes.id))
    .limit(HISTORY_PAGE_SIZE)
    .offset((page - 1) * HISTORY_PAGE_SIZE)
  const names = await actorNames(
    db,
    found.map(({ who }) => who),
  )
  const rows = found.map((change) => ({
    ...change,
    before: change.before ?? null,
    after: change.after ?? null,
    who: names.get(change.who) ?? change.who,
    happenedAt: timeText(change.happenedAt),
  }))
  return { rows, page, size: HISTORY_PAGE_SIZE, total: all?.total ?? 0 }
}
