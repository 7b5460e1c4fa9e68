import type { SlotPlan } from '@befaqt/domain/api/slot-rule-api'
import { DAY_MS } from '@befaqt/domain/durations'
import { asc, gte } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { closedDays, slotRules } from '#server/db/schema/slot-rules.ts'
import type { RuleRow } from './fill-slots.ts'

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
