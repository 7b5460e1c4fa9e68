import type { ManagedBox } from '@befaqt/domain/api/manage-api'
import { excursionText } from '@befaqt/domain/excursions'
import { MAX_LISTED } from '@befaqt/domain/list-place'
import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { actorNames } from '#server/audit/history.ts'
import { boxNotFound, holdsFish } from '#server/boxes/box-access.ts'
import { type Db, rows } from '#server/db/client.ts'
import type { Counted } from '#server/db/keyset.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { excursions, seenAlerts } from '#server/db/schema/excursions.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'

/** SQL: have the readings of a box given alerts that nobody has seen? Of those in `boxes_alerted`, which names the first part. */
const unseenAlerts = sql`not b.sealed and b.alerts <> '[]'::jsonb and (jsonb_typeof(b.alerts) <> 'array' or exists (
    select from jsonb_array_elements(case when jsonb_typeof(b.alerts) = 'array' then b.alerts else '[]' end) a
    where not exists (select from seen_alerts s
      where s.box_id = b.id and s.kind = a ->> 'kind' and s.at = a ->> 'at')))`

/**
 * SQL: ids of boxes with an excursion that nobody closed, or with an alert that nobody has seen; some twice. Each kind is
 * found by an index of its own: asked of each box, either would have all of them read.
 */
const alerted = sql`select box_id as id from excursions where closed_at is null and withdrawn_at is null
  union all select b.id from boxes b where ${unseenAlerts}`

/** These boxes. */
export const withAlerts: SQL = sql`${boxes.id} in (${alerted})`

/** How many boxes with fish these are, up to a bound: counted by the indexes alone, without reading a box. */
export async function countAlerted(db: Db, most = MAX_LISTED): Promise<Counted> {
  const [counted] = await rows<{ n: number }>(
    db,
    sql`select count(*)::int as n
        from (select distinct id from (${alerted}) ${boxes} where ${holdsFish} limit ${most + 1}) a`,
  )
  const total = counted?.n ?? 0
  return total > most ? { total: most, atLeast: true } : { total, beyond: 0 }
}

type Watched = Pick<ManagedBox, 'alerts' | 'excursions'>

const Alerts = z.array(z.object({ kind: z.string(), at: z.string().optional(), words: z.string() }))
const unreadable: z.infer<typeof Alerts>[number] = {
  kind: 'unreadable',
  words: 'The alerts of this box can’t be read: its row is damaged.',
}

/** Alerts of these boxes with who has seen them, and their excursions that nobody closed, in the order of the boxes. */
export async function watchedOf(
  db: Db,
  found: readonly Pick<typeof boxes.$inferSelect, 'id' | 'alerts'>[],
): Promise<Watched[]> {
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return []
  // One after the other, beside one query of the caller: more at once on a connection, as a search has one, pg warns of.
  const seen = await db.select().from(seenAlerts).where(inArray(seenAlerts.boxId, ids))
  const open = await db
    .select()
    .from(excursions)
    .where(and(inArray(excursions.boxId, ids), isNull(excursions.closedAt), isNull(excursions.withdrawnAt)))
    .orderBy(asc(excursions.since))
  const names = await actorNames(db, [...new Set(seen.map(({ who }) => who))])
  return found.map(({ id, alerts }) => ({
    alerts: (Alerts.safeParse(alerts).data ?? [unreadable]).map(({ kind, at, words }) => {
      const by = seen.find((one) => one.boxId === id && one.kind === kind && one.at === at)
      return {
        kind,
        at: at ?? null,
        words,
        seen: by ? { who: names.get(by.who) ?? by.who, at: by.seenAt.toISOString() } : null,
      }
    }),
    excursions: open
      .filter(({ boxId }) => boxId === id)
      .map((row) => ({
        id: row.id,
        text: excursionText(row),
        since: row.since.toISOString(),
        endedAt: row.endedAt?.toISOString() ?? null,
      })),
  }))
}

/** Notes that somebody has seen an alert of a box, or takes that back. Twice is as once. @throws ShopError `box.not_found` */
export async function noteSeen(
  { db, now }: { db: Db; now: () => Date },
  principal: Principal,
  boxId: string,
  { kind, at, seen }: { kind: string; at: string; seen: boolean },
): Promise<void> {
  const [box] = await db.select({ id: boxes.id }).from(boxes).where(eq(boxes.id, boxId))
  if (box === undefined) throw boxNotFound()
  const who = actorId(principal)
  if (seen) await db.insert(seenAlerts).values({ boxId, kind, at, who, seenAt: now() }).onConflictDoNothing()
  else
    await db
      .delete(seenAlerts)
      .where(and(eq(seenAlerts.boxId, boxId), eq(seenAlerts.kind, kind), eq(seenAlerts.at, at)))
}
