import type { ManagedSlot, SlotView } from '@befaqt/domain/api/order-api'
import { ShopError } from '@befaqt/domain/errors'
import type { FulfilmentKind } from '@befaqt/domain/order-states'
import { and, asc, desc, eq, gt, ne, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { appendEvent, eventKinds } from '#server/db/events.ts'
import type { Locks } from '#server/db/lock.ts'
import { slots } from '#server/db/schema/orders.ts'
import { timeText } from '#server/db/stored-values.ts'
import type { OrderRules } from '#server/site/site.ts'
import { type HoldOwner, isOwnHold, isUnconfirmed } from './available-stock.ts'
import { shareOf } from './order-limits.ts'

export type SlotRow = typeof slots.$inferSelect

/** Whose holds all count, as of a manager. */
export const NOBODY: HoldOwner = { userId: null, hold: undefined }

/** SQL: orders in a slot. */
const ordersIn = sql<number>`(
  select count(*) from orders o where o.slot_id = slots.id and o.status <> 'CANCELLED')::int`

/** SQL: orders and open holds in a slot, without the owner's own hold. */
const takenBut = (owner: HoldOwner) => sql<number>`(
  ${ordersIn}
  + (select count(*) from holds h where h.slot_id = slots.id and h.expires_at > clock_timestamp()
      and not ${isOwnHold(owner)}))::int`

const isOpen = sql<boolean>`(not ${slots.closed} and ${slots.cutOffAt} > clock_timestamp())`

/** Can it be chosen for this kind and postcode? */
const isFor = (slot: SlotRow, kind: FulfilmentKind, postcode: string | undefined): boolean =>
  slot.kind === kind && (postcode === undefined || slot.area === null || slot.area.includes(postcode))

/** Tells all processes, once the transaction is committed, that other slots than before take orders. */
export const announceSlots = (tx: Tx): Promise<number> => appendEvent(tx, eventKinds.slotsChanged, null)

/**
 * Locks a slot and checks that it takes one more order of this kind. Whoever takes its last place tells others.
 * @param want without a kind, any slot will do, as for a hold
 * @throws ShopError `slot.unavailable`, details `{ reason, slots }`: 'gone', 'closed', 'area' or 'full', and others
 */
export async function lockSlot(
  locks: Locks<'slots'>,
  id: string,
  owner: HoldOwner,
  want?: { kind: FulfilmentKind; postcode: string | undefined },
): Promise<SlotRow> {
  const { tx } = locks
  const [held] = await locks.slots([id])
  const slot = held.get(id)
  if (slot === undefined)
    return refuse(tx, 'gone', 'This time is no longer offered. Please choose another.', want)
  const [now] = await tx
    .select({ isOpen, taken: takenBut(owner) })
    .from(slots)
    .where(eq(slots.id, id))
  if (now?.isOpen !== true)
    return refuse(tx, 'closed', 'This time is closed to new orders. Please choose another.', want)
  if (want !== undefined && !isFor(slot, want.kind, want.postcode))
    return refuse(tx, 'area', 'This time is not for this address. Please choose another.', want)
  if (now.taken >= slot.capacity)
    return refuse(tx, 'full', 'This time has just filled up. Please choose another.', want)
  if (now.taken + 1 >= slot.capacity) await announceSlots(tx)
  return slot
}

/**
 * Checks that open checkouts and unconfirmed orders of one network leave most of a locked slot to others.
 * @throws ShopError `slot.unavailable`, reason 'network'
 */
export async function assertSlotShare(
  tx: Tx,
  { id, kind, capacity }: SlotRow,
  owner: HoldOwner,
  { rules, network }: { rules: OrderRules; network: string },
): Promise<void> {
  const [found] = await rows<{ held: number }>(
    tx,
    sql`select (
          (select count(*) from holds h where h.slot_id = ${id} and h.network = ${network}
            and h.expires_at > clock_timestamp() and not ${isOwnHold(owner)})
          + (select count(*) from orders o where o.slot_id = ${id} and ${isUnconfirmed(network)}))::int as held`,
  )
  if ((found?.held ?? 0) >= shareOf(capacity, rules))
    return refuse(
      tx,
      'network',
      'Others in your network have this time, or are choosing it, and it is kept for everybody. Please choose another, confirm the orders by the links in their emails, or try again in a quarter of an hour.',
      { kind, but: id },
    )
}

/** Which slots are wanted. `but`: id of one that is not. */
type Wish = { kind?: FulfilmentKind | undefined; postcode?: string | undefined; but?: string }

/** Slots that a refusal proposes. */
const MAX_PROPOSED = 5

async function refuse(
  tx: Tx,
  reason: 'gone' | 'closed' | 'area' | 'full' | 'network',
  message: string,
  want: Wish = {},
): Promise<never> {
  const others = await openSlots(tx, want, MAX_PROPOSED)
  throw new ShopError('slot.unavailable', message, { details: { reason, slots: others } })
}

/** Slots that are offered at once. */
const MAX_OFFERED = 200

/** Slots that still take orders, the earliest first. */
export async function openSlots(
  db: Db | Tx,
  { kind, postcode, but }: Wish,
  limit = MAX_OFFERED,
): Promise<SlotView[]> {
  const taken = takenBut(NOBODY)
  // now(), not clock_timestamp(): an index can't be read by what changes meanwhile.
  const isOffered = sql`not ${slots.closed} and ${slots.cutOffAt} > now()`
  const goesTo =
    postcode === undefined ? undefined : sql`(${slots.area} is null or ${slots.area} ? ${postcode})`
  const found = await db
    .select({ slot: slots, taken })
    .from(slots)
    .where(
      and(
        isOffered,
        kind && eq(slots.kind, kind),
        goesTo,
        but === undefined ? undefined : ne(slots.id, but),
        gt(slots.capacity, taken),
      ),
    )
    .orderBy(asc(slots.startsAt), asc(slots.id))
    .limit(limit)
  return found.map(({ slot, taken }) => slotView(slot, taken))
}

/** A slot without what it can still take, as orders have it. */
export const plainSlot = (slot: SlotRow): Omit<SlotView, 'left'> => ({
  _id: slot.id,
  kind: slot.kind,
  startsAt: timeText(slot.startsAt),
  endsAt: timeText(slot.endsAt),
  timeZone: slot.timeZone,
  cutOffAt: timeText(slot.cutOffAt),
  area: slot.area,
})

const slotView = (slot: SlotRow, taken: number): SlotView => ({
  ...plainSlot(slot),
  left: Math.max(0, slot.capacity - taken),
})

const managedSlot = (slot: SlotRow, taken: number, orders: number): ManagedSlot => ({
  ...slotView(slot, taken),
  capacity: slot.capacity,
  orders,
  closed: slot.closed,
  rule: slot.ruleId,
  edited: slot.edited,
  version: slot.version,
})

/** A manager's filter of slots: of one kind, and those that have not ended yet, or the others. */
export type SlotFilter = { kind?: FulfilmentKind | undefined; when?: 'coming' | 'past' | undefined }

const matchesFilter = ({ kind, when }: SlotFilter) =>
  and(
    kind && eq(slots.kind, kind),
    when && (when === 'coming' ? sql`${slots.endsAt} > now()` : sql`${slots.endsAt} <= now()`),
  )

export const countSlots = (db: Db, filter: SlotFilter): Promise<number> =>
  db.$count(slots, matchesFilter(filter))

/** Slots as managers see them: those to come the next one first, others the latest first. */
export async function readSlots(
  db: Db | Tx,
  { size, offset, id, ...filter }: SlotFilter & { size: number; offset: number; id?: string },
): Promise<ManagedSlot[]> {
  const found = await db
    .select({ slot: slots, taken: takenBut(NOBODY), orders: ordersIn })
    .from(slots)
    .where(and(id === undefined ? undefined : eq(slots.id, id), matchesFilter(filter)))
    .orderBy(filter.when === 'coming' ? asc(slots.startsAt) : desc(slots.startsAt), asc(slots.id))
    .limit(size)
    .offset(offset)
  return found.map(({ slot, taken, orders }) => managedSlot(slot, taken, orders))
}
