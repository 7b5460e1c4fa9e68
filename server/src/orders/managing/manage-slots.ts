import { randomUUID } from 'node:crypto'
import type { ManagedSlot } from '@befaqt/domain/api/order-api'
import { ShopError } from '@befaqt/domain/errors'
import type { SlotInput, SlotPatch } from '@befaqt/domain/order'
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { lock } from '#server/db/lock.ts'
import { orders, slots } from '#server/db/schema/orders.ts'
import { skippedSlots } from '#server/db/schema/slot-rules.ts'
import { fieldError } from '#server/http/field-error.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import type { Principal } from '#server/identity/principal.ts'
import { changeSlots, type SlotWriter } from '#server/orders/next-slots.ts'
import { announceSlots, findSlot } from '#server/orders/slots.ts'

const slotNotFound = (): ShopError => new ShopError('not_found', 'There is no such slot.')

/** One slot with what it can still take. @throws ShopError `not_found` */
export async function readSlot(db: Db | Tx, id: string): Promise<ManagedSlot> {
  if (!z.uuid().safeParse(id).success) throw slotNotFound()
  const slot = await findSlot(db, id)
  if (slot === undefined) throw slotNotFound()
  return slot
}

/** A slot as the audit log has it: what follows from orders is not a change of it. */
const audited = ({ left: _left, orders: _orders, edited: _edited, ...slot }: ManagedSlot) => slot

/** @param timeZone the market's, unless the slot has its own */
export function createSlot(
  deps: SlotWriter,
  principal: Principal,
  input: SlotInput,
  timeZone: string,
): Promise<ManagedSlot> {
  const id = randomUUID()
  return changeSlots(deps, async (tx) => {
    await insertSlot(tx, id, input, timeZone)
    await announceSlots(tx)
    const slot = await readSlot(tx, id)
    await writeAuditEntry(tx, principal, 'slot', id, { before: null, after: audited(slot) })
    return slot
  })
}

async function insertSlot(tx: Tx, id: string, input: SlotInput, timeZone: string): Promise<void> {
  await tx.insert(slots).values({
    id,
    kind: input.kind,
    startsAt: new Date(input.startsAt),
    endsAt: new Date(input.endsAt),
    timeZone: input.timeZone ?? timeZone,
    area: input.area === undefined ? null : [...new Set(input.area)].sort(),
    capacity: input.capacity,
    cutOffAt: new Date(input.cutOffAt),
    closed: input.closed,
  })
}

/**
 * Changes capacity, cut-off or whether a slot is closed. Orders in it stay, also above a lower capacity.
 * @throws ShopError `not_found`, `version.stale`, `input.invalid`
 */
export async function updateSlot(
  deps: SlotWriter,
  principal: Principal,
  id: string,
  patch: SlotPatch,
): Promise<ManagedSlot> {
  if (!z.uuid().safeParse(id).success) throw slotNotFound()
  const { version, cutOffAt, capacity, closed } = patch
  return changeSlots(deps, async (tx) => {
    const row = (await lock(tx).slots([id]))[0].get(id)
    const before = await readSlot(tx, id)
    checkVersion(version, before)
    const cutOff = cutOffAt === undefined ? row?.cutOffAt : new Date(cutOffAt)
    if (row && cutOff && cutOff > row.endsAt) throw fieldError('cutOffAt', 'must not be after endsAt')
    await tx
      .update(slots)
      .set({
        version: (row?.version ?? 0) + 1,
        edited: true,
        ...(cutOff && { cutOffAt: cutOff }),
        ...(capacity === undefined ? {} : { capacity }),
        ...(closed === undefined ? {} : { closed }),
      })
      .where(eq(slots.id, id))
    await announceSlots(tx)
    const after = await readSlot(tx, id)
    await writeAuditEntry(tx, principal, 'slot', id, { before: audited(before), after: audited(after) })
    return after
  })
}

/**
 * Deletes a slot without orders; checkouts that hold it choose another. Its rule does not make it again.
 * @throws ShopError `not_found`, `version.stale`, `slot.has_orders`, also for orders that were cancelled
 */
export async function deleteSlot(
  deps: SlotWriter,
  principal: Principal,
  id: string,
  version: number | undefined,
): Promise<void> {
  if (!z.uuid().safeParse(id).success) throw slotNotFound()
  await changeSlots(deps, async (tx) => {
    const row = (await lock(tx).slots([id]))[0].get(id)
    const before = await readSlot(tx, id)
    checkVersion(version, before)
    const [found] = await tx
      .select({ count: sql<number>`count(*)::int` })
      .from(orders)
      .where(eq(orders.slotId, id))
    const count = found?.count ?? 0
    if (count > 0)
      throw new ShopError(
        'slot.has_orders',
        `${count === 1 ? 'An order is' : `${count} orders are`} for this time, cancelled ones too: it can’t be deleted. Close it to new orders instead.`,
        { details: { count } },
      )
    if (row?.ruleId && row.ruleDay !== null)
      await tx.insert(skippedSlots).values({ ruleId: row.ruleId, day: row.ruleDay }).onConflictDoNothing()
    await tx.delete(slots).where(eq(slots.id, id))
    await announceSlots(tx)
    await writeAuditEntry(tx, principal, 'slot', id, { before: audited(before), after: null })
  })
}
