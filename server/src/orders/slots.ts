import type { ListPlace, Paged } from '@befaqt/domain/api/box-api'
import type { Delivery } from '@befaqt/domain/api/checkout-api'
import type { ManagedSlot, SlotView } from '@befaqt/domain/api/order-api'
import type { FulfilmentKind } from '@befaqt/domain/order-states'
import { deliveryTerms } from '@befaqt/domain/order-totals'
import { and, asc, eq, gt, ne, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { appendEvent, eventKinds } from '#server/db/events.ts'
import { countListed, falling, keysetPage, rising } from '#server/db/keyset.ts'
import { slots } from '#server/db/schema/orders.ts'
import { timeText } from '#server/db/stored-values.ts'
import type { SiteSettings } from '#server/site/index.ts'

export type SlotRow = typeof slots.$inferSelect

/** SQL: orders in a slot. */
const ordersIn = sql<number>`(
  select count(*) from orders o where o.slot_id = slots.id and o.status <> 'CANCELLED')::int`

/** SQL: orders and open holds in a slot. */
const taken = sql<number>`(
  ${ordersIn}
  + (select count(*) from holds h where h.slot_id = slots.id and h.expires_at > clock_timestamp()))::int`

/** Which slots are wanted. `but`: id of one that is not. */
export type SlotWish = { kind?: FulfilmentKind | undefined; postcode?: string | undefined; but?: string }

/** Tells all processes, once the transaction is committed, that other slots than before take orders. */
export const announceSlots = (tx: Tx): Promise<number> => appendEvent(tx, eventKinds.slotsChanged, null)

/** Slots that are offered at once. */
const MAX_OFFERED = 200

/** Slots that still take orders, the earliest first. */
export async function openSlots(
  db: Db | Tx,
  { kind, postcode, but }: SlotWish,
  limit = MAX_OFFERED,
): Promise<SlotView[]> {
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

/** Whether deliveries go to a postcode, and what they cost there. */
export async function deliveryTo(
  { db, site }: { db: Db; site: Pick<SiteSettings, 'current'> },
  postcode: string,
): Promise<Delivery> {
  const [next = null] = await openSlots(db, { kind: 'delivery', postcode }, 1)
  return { next, area: deliveryTerms((await site.current()).areas, 'delivery', postcode) }
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

/** A page of slots with what they can still take: those to come the next one first, others the latest first. */
export async function managedSlots(db: Db, query: SlotFilter & ListPlace): Promise<Paged<ManagedSlot>> {
  const filter = matchesFilter(query)
  const byTime = query.when === 'coming' ? rising(slots.startsAt) : falling(slots.startsAt)
  const { rows, ...page } = await keysetPage(
    query,
    { keys: [byTime, rising(slots.id)], of: ['slots', query] },
    ({ where, order, limit, offset, at }) =>
      db
        .select({ slot: slots, taken, orders: ordersIn, at })
        .from(slots)
        .where(and(filter, where))
        .orderBy(...order)
        .limit(limit)
        .offset(offset),
    (beyond) => countListed(db, slots, filter, beyond),
  )
  return { ...page, rows: rows.map(({ slot, taken, orders }) => managedSlot(slot, taken, orders)) }
}

/** One slot with what it can still take; undefined: there is none. */
export async function findSlot(db: Db | Tx, id: string): Promise<ManagedSlot | undefined> {
  const [found] = await db
    .select({ slot: slots, taken, orders: ordersIn })
    .from(slots)
    .where(eq(slots.id, id))
  return found && managedSlot(found.slot, found.taken, found.orders)
}
