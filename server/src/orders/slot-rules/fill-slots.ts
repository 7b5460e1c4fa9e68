import { randomUUID } from 'node:crypto'
import type { SlotFill, SlotPlan } from '@befaqt/domain/api/slot-rule-api'
import { DAY_MS } from '@befaqt/domain/durations'
import { marketDate } from '@befaqt/domain/market-time'
import { type DueSlot, dueSlots } from '@befaqt/domain/slot-rules'
import { and, asc, eq, gt, gte, inArray, isNotNull, sql } from 'drizzle-orm'
import { lockNamed } from '#server/db/advisory-locks.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { lock } from '#server/db/lock.ts'
import { slots } from '#server/db/schema/orders.ts'
import { closedDays, skippedSlots, slotRules } from '#server/db/schema/slot-rules.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import { announceSlots, type SlotRow } from '../slots.ts'

export type RuleRow = typeof slotRules.$inferSelect
/** What a rule says of a slot. */
type Wanted = Pick<
  SlotRow,
  'kind' | 'startsAt' | 'endsAt' | 'timeZone' | 'area' | 'capacity' | 'cutOffAt' | 'ruleId' | 'ruleDay'
>

export const SLOT_QUEUE = 'order.fill-slots'

/** Has slots filled at `when`, beside each night: once a day for all processes. */
export const scheduleFill = (db: Db, when: Date): Promise<void> =>
  enqueue(db, SLOT_QUEUE, {}, { runAt: when, uniqueKey: when.toISOString().slice(0, 10) })

/** The job: makes the slots of the days ahead. */
export const fillSlotsJob =
  ({ db, now }: { db: Db; now: () => Date }): JobHandler =>
  async () =>
    void (await db.transaction((tx) => fillSlots(tx, now())))

/**
 * One at a time, so that no two make or remove slots by different rules. Lasts until the transaction ends, and comes
 * before the lock of a rule, which a new slot of that rule takes as well.
 */
export const lockRules = (tx: Tx): Promise<unknown> => lockNamed(tx, 'slotRules')

/**
 * Creates the slots of the days ahead by the rules. Future slots that their rule no longer has, or has differently, are
 * removed or changed, unless they have orders or somebody changed them. Idempotent.
 * @param ending a rule that is about to be deleted: its slots are treated as not wanted any more
 */
export async function fillSlots(tx: Tx, now: Date, ending?: string): Promise<SlotFill> {
  await lockRules(tx)
  const rules = await tx.select().from(slotRules).orderBy(asc(slotRules.id))
  const wanted = await wantedSlots(
    tx,
    rules.filter(({ id }) => id !== ending),
    now,
  )
  const there = await tx
    .select()
    .from(slots)
    .where(and(isNotNull(slots.ruleId), gt(slots.startsAt, now)))
  const differing = there.filter((slot) => !isAs(slot, wanted.get(keyOf(slot))))
  const free = await lockFree(
    tx,
    differing.filter(({ edited }) => !edited).map(({ id }) => id),
  )
  let [changed, removed] = [0, 0]
  for (const slot of differing.filter(({ id }) => free.has(id))) {
    const want = wanted.get(keyOf(slot))
    if (want === undefined) removed += 1
    else changed += 1
    if (want === undefined) await tx.delete(slots).where(eq(slots.id, slot.id))
    else
      await tx
        .update(slots)
        .set({ ...want, version: slot.version + 1 })
        .where(eq(slots.id, slot.id))
  }
  const made = await insertSlots(tx, [...wanted.values()])
  if (made + changed + removed > 0) await announceSlots(tx)
  return { made, changed, removed, kept: differing.length - changed - removed }
}

const keyOf = ({ ruleId, ruleDay }: Pick<Wanted, 'ruleId' | 'ruleDay'>): string => `${ruleId} ${ruleDay}`

/** The slots that the rules want, by rule and date. */
async function wantedSlots(tx: Tx, rules: readonly RuleRow[], now: Date): Promise<Map<string, Wanted>> {
  const closed = new Set((await tx.select({ day: closedDays.day }).from(closedDays)).map(({ day }) => day))
  const skipped = await tx.select().from(skippedSlots)
  const all = rules.flatMap((rule) => {
    const left = skipped.filter(({ ruleId }) => ruleId === rule.id).map(({ day }) => day)
    const weekly = { ...rule, from: rule.startsAt, to: rule.endsAt }
    const today = marketDate(now.getTime(), rule.timeZone)
    const due = dueSlots(weekly, { today, now: now.getTime(), closed: new Set([...closed, ...left]) })
    return due.map((slot) => wantedBy(rule, slot))
  })
  return new Map(all.map((want) => [keyOf(want), want]))
}

const wantedBy = (rule: RuleRow, due: DueSlot): Wanted => ({
  kind: rule.kind,
  startsAt: new Date(due.startsAt),
  endsAt: new Date(due.endsAt),
  timeZone: rule.timeZone,
  area: rule.area,
  capacity: rule.capacity,
  cutOffAt: new Date(due.cutOffAt),
  ruleId: rule.id,
  ruleDay: due.day,
})

const compared = ['kind', 'startsAt', 'endsAt', 'timeZone', 'area', 'capacity', 'cutOffAt'] as const

/** Is the slot as it is wanted? */
const isAs = (slot: Wanted, want: Wanted | undefined): boolean =>
  want !== undefined && compared.every((field) => JSON.stringify(slot[field]) === JSON.stringify(want[field]))

/** Locks slots, and returns those in which nobody has ordered or is about to. */
async function lockFree(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  await lock(tx).slots(ids)
  const free = await tx
    .select({ id: slots.id })
    .from(slots)
    .where(
      and(
        inArray(slots.id, [...ids]),
        sql`not exists (select from orders o where o.slot_id = slots.id)`,
        sql`not exists (select from holds h where h.slot_id = slots.id and h.expires_at > clock_timestamp())`,
      ),
    )
  return new Set(free.map(({ id }) => id))
}

/** Inserts the slots that are not there. Returns how many. */
async function insertSlots(tx: Tx, wanted: readonly Wanted[]): Promise<number> {
  if (wanted.length === 0) return 0
  const made = await tx
    .insert(slots)
    .values(wanted.map((want) => ({ ...want, id: randomUUID() })))
    .onConflictDoNothing({ target: [slots.ruleId, slots.ruleDay] })
    .returning({ id: slots.id })
  return made.length
}

/** A rule as managers see it. */
export const ruleView = (rule: RuleRow): SlotPlan['rules'][number] => ({
  _id: rule.id,
  kind: rule.kind,
  weekdays: rule.weekdays,
  from: rule.startsAt,
  to: rule.endsAt,
  timeZone: rule.timeZone,
  area: rule.area,
  capacity: rule.capacity,
  cutOffMinutes: rule.cutOffMinutes,
  version: rule.version,
})

/** What slots are made from: rules by kind and time of day, and days from yesterday on without any. */
export async function slotPlan({ db, now }: { db: Db; now: () => Date }): Promise<SlotPlan> {
  const rules = await db
    .select()
    .from(slotRules)
    .orderBy(asc(slotRules.kind), asc(slotRules.startsAt), asc(slotRules.createdAt), asc(slotRules.id))
  const yesterday = new Date(now().getTime() - DAY_MS).toISOString().slice(0, 10)
  const days = await db
    .select()
    .from(closedDays)
    .where(gte(closedDays.day, yesterday))
    .orderBy(asc(closedDays.day))
  return { rules: rules.map(ruleView), closedDays: days.map(({ day, reason }) => ({ day, reason })) }
}
