import { randomUUID } from 'node:crypto'
import type { SlotFill } from '@befaqt/domain/api/slot-rule-api'
import { ShopError } from '@befaqt/domain/errors'
import type { ClosedDayInput, SlotRuleInput } from '@befaqt/domain/slot-rules'
import { eq } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Tx } from '#server/db/client.ts'
import { closedDays, slotRules } from '#server/db/schema/slot-rules.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import type { Principal } from '#server/identity/principal.ts'
import { changeSlots, type SlotWriter } from '#server/orders/next-slots.ts'
import { fillSlots, lockRules, type RuleRow, ruleView } from './fill-slots.ts'

/** At most so many rules: more could not be told apart in a week. */
const MAX_RULES = 200
const MAX_CLOSED_DAYS = 1_000

type Deps = SlotWriter & { now: () => Date; siteFile: { market: { timeZone: string } } }

const ruleNotFound = (): ShopError => new ShopError('not_found', 'There is no such rule.')

const columnsOf = (input: SlotRuleInput, timeZone: string) => ({
  kind: input.kind,
  weekdays: input.weekdays,
  startsAt: input.from,
  endsAt: input.to,
  timeZone: input.timeZone ?? timeZone,
  area: input.area === undefined ? null : [...new Set(input.area)].sort(),
  capacity: input.capacity,
  cutOffMinutes: input.cutOffMinutes,
})

/** Adds a rule within a transaction; its slots are made by `fillSlots`. @param timeZone unless the rule has its own */
export async function insertRule(tx: Tx, input: SlotRuleInput, timeZone: string): Promise<RuleRow> {
  const [rule] = await tx
    .insert(slotRules)
    .values({ id: randomUUID(), ...columnsOf(input, timeZone) })
    .returning()
  if (rule === undefined) throw new Error('a rule was inserted')
  return rule
}

/** Adds a rule and makes its slots. @throws ShopError `conflict` when there are too many */
export function addRule(deps: Deps, principal: Principal, input: SlotRuleInput): Promise<SlotFill> {
  return changeSlots(deps, async (tx) => {
    if ((await tx.$count(slotRules)) >= MAX_RULES)
      throw new ShopError('conflict', `There are ${MAX_RULES} rules already.`)
    const rule = await insertRule(tx, input, deps.siteFile.market.timeZone)
    await writeAuditEntry(tx, principal, 'slot-rule', rule.id, { before: null, after: ruleView(rule) })
    return fillSlots(tx, deps.now())
  })
}

/** Replaces a rule; its slots follow where they may. @throws ShopError `not_found`, `version.stale` */
export function replaceRule(
  deps: Deps,
  principal: Principal,
  id: string,
  input: SlotRuleInput,
): Promise<SlotFill> {
  return changeSlots(deps, async (tx) => {
    const rule = await lockRule(tx, id)
    checkVersion(input.version, ruleView(rule))
    const columns = columnsOf(input, rule.timeZone)
    await tx
      .update(slotRules)
      .set({ ...columns, version: rule.version + 1 })
      .where(eq(slotRules.id, id))
    const [before, after] = [ruleView(rule), ruleView({ ...rule, ...columns })]
    await writeAuditEntry(tx, principal, 'slot-rule', id, { before, after })
    return fillSlots(tx, deps.now())
  })
}

/** Deletes a rule with its slots to come; those with orders or changed by hand stay. @throws ShopError `not_found` */
export function deleteRule(deps: Deps, principal: Principal, id: string): Promise<SlotFill> {
  return changeSlots(deps, async (tx) => {
    const rule = await lockRule(tx, id)
    const fill = await fillSlots(tx, deps.now(), id)
    await tx.delete(slotRules).where(eq(slotRules.id, id))
    await writeAuditEntry(tx, principal, 'slot-rule', id, { before: ruleView(rule), after: null })
    return fill
  })
}

async function lockRule(tx: Tx, id: string): Promise<RuleRow> {
  await lockRules(tx)
  const [rule] = await tx.select().from(slotRules).where(eq(slotRules.id, id)).for('update')
  if (rule === undefined) throw ruleNotFound()
  return rule
}

/** Makes a day one without slots of rules. Closed again, it gets the new reason. @throws ShopError `conflict` */
export function closeDay(
  deps: Deps,
  principal: Principal,
  { day, reason }: ClosedDayInput,
): Promise<SlotFill> {
  return changeSlots(deps, async (tx) => {
    if ((await tx.$count(closedDays)) >= MAX_CLOSED_DAYS)
      throw new ShopError('conflict', `${MAX_CLOSED_DAYS} days are closed already.`)
    const [before = null] = await tx.select().from(closedDays).where(eq(closedDays.day, day)).for('update')
    await tx
      .insert(closedDays)
      .values({ day, reason })
      .onConflictDoUpdate({ target: closedDays.day, set: { reason } })
    await writeAuditEntry(tx, principal, 'closed-day', day, {
      before: before && { reason: before.reason },
      after: { reason },
    })
    return fillSlots(tx, deps.now())
  })
}

/** Has rules make slots on this day again. Done twice, it is as once. */
export function openDay(deps: Deps, principal: Principal, day: string): Promise<SlotFill> {
  return changeSlots(deps, async (tx) => {
    const [before] = await tx.delete(closedDays).where(eq(closedDays.day, day)).returning()
    if (before !== undefined)
      await writeAuditEntry(tx, principal, 'closed-day', day, {
        before: { reason: before.reason },
        after: null,
      })
    return fillSlots(tx, deps.now())
  })
}
