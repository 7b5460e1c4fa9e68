import { amountIn } from '@befaqt/domain/amount'
import type { ListPlace, Paged } from '@befaqt/domain/api/box-api'
import type { OrderRow } from '@befaqt/domain/api/order-api'
import type { OrderAnswer } from '@befaqt/domain/api/waiting-order-api'
import type { PaymentState } from '@befaqt/domain/payment'
import { and, asc, desc, eq, getTableColumns, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, ONE_MOMENT, type Tx } from '#server/db/client.ts'
import {
  type Counted,
  countListed,
  falling,
  type KeysetList,
  keysetPage,
  type Part,
} from '#server/db/keyset.ts'
import { type Locks, lock } from '#server/db/lock.ts'
import { boxes as boxTable } from '#server/db/schema/boxes.ts'
import {
  orderContacts,
  orderEvents,
  orderLineBoxes,
  orderLines,
  orders,
  slots,
} from '#server/db/schema/orders.ts'
import { payments } from '#server/db/schema/payments.ts'
import { recalls } from '#server/db/schema/recalls.ts'
import { timeText } from '#server/db/stored-values.ts'
import type { Principal } from '#server/identity/principal.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { SiteSettings } from '#server/site/index.ts'
import { orderNotFound, orderRole } from './order-access.ts'
import { contactView, type OrderRecord, orderView, pickUpOf, type WholeOrder } from './order-views.ts'
import { plainSlot } from './slots.ts'
import { findWaiting, paymentOf, waitingView } from './waiting/waiting-order.ts'

/** Ids are UUIDs; anything else, which the database might not even take, is an order that is not there. */
const isOrderId = (id: string): boolean => z.uuid().safeParse(id).success

/** What may be locked after an order. */
export type OrderLocks = Locks<'products' | 'boxes' | 'slots' | 'coupons'>

/** Reads the order and locks it until the transaction ends; null: there is none. */
export async function lockOrderIfThere(tx: Tx, id: string): Promise<[OrderRecord | null, OrderLocks]> {
  const [found, left] = await lock(tx).orders(isOrderId(id) ? [id] : [])
  return [found.get(id) ?? null, left]
}

/** The same. @throws ShopError `order.not_found` */
export async function lockOrder(tx: Tx, id: string): Promise<[OrderRecord, OrderLocks]> {
  const [order, left] = await lockOrderIfThere(tx, id)
  if (order === null) throw orderNotFound()
  return [order, left]
}

/** Reads an order with all that belongs to it. @throws ShopError `order.not_found` */
export async function readWholeOrder(db: Db | Tx, id: string): Promise<WholeOrder> {
  const [found] = isOrderId(id) ? await readWholeOrders(db, [id]) : []
  if (found === undefined) throw orderNotFound()
  return found
}

/** Reads orders with all that belongs to them, in the order of `ids`; those that are not there are left out. */
export async function readWholeOrders(db: Db | Tx, ids: readonly string[]): Promise<WholeOrder[]> {
  const among = (column: SQLWrapper): SQL => sql`${column} = any(${sql.param(ids)}::text[])`
  const beforeCutOff = sql<boolean>`${slots.cutOffAt} > clock_timestamp()`
  const found = await db
    .select({ orders, slots, order_contacts: orderContacts, beforeCutOff })
    .from(orders)
    .innerJoin(slots, eq(slots.id, orders.slotId))
    .leftJoin(orderContacts, eq(orderContacts.orderId, orders.id))
    .where(among(orders.id))
  const lines = await db
    .select()
    .from(orderLines)
    .where(among(orderLines.orderId))
    .orderBy(asc(orderLines.orderId), asc(orderLines.position))
  const boxes = await db
    .select({ ...getTableColumns(orderLineBoxes), unit: orderLines.unit, recall: recalls.reason })
    .from(orderLineBoxes)
    .innerJoin(
      orderLines,
      and(eq(orderLines.orderId, orderLineBoxes.orderId), eq(orderLines.position, orderLineBoxes.position)),
    )
    .innerJoin(boxTable, eq(boxTable.id, orderLineBoxes.boxId))
    .leftJoin(recalls, eq(recalls.id, boxTable.recallId))
    .where(among(orderLineBoxes.orderId))
    .orderBy(asc(orderLineBoxes.orderId), asc(orderLineBoxes.position), asc(orderLineBoxes.boxId))
  const events = await db
    .select()
    .from(orderEvents)
    .where(among(orderEvents.orderId))
    .orderBy(asc(orderEvents.orderId), asc(orderEvents.id))
  const paid = await db
    .selectDistinctOn([payments.orderId])
    .from(payments)
    .where(among(payments.orderId))
    .orderBy(asc(payments.orderId), desc(payments.createdAt))
  const [linesOf, boxesOf, eventsOf] = [byOrder(lines), byOrder(boxes), byOrder(events)]
  const paymentOf = new Map(paid.map((payment) => [payment.orderId, payment]))
  const whole = found.map((row) => ({
    order: row.orders,
    slot: row.slots,
    contact: row.order_contacts,
    lines: linesOf.get(row.orders.id) ?? [],
    boxes: (boxesOf.get(row.orders.id) ?? []).map(({ unit, amount, ...box }) => ({
      ...box,
      amount: amountIn(unit, amount),
    })),
    events: eventsOf.get(row.orders.id) ?? [],
    payment: paymentOf.get(row.orders.id) ?? null,
    beforeCutOff: row.beforeCutOff,
  }))
  const byId = new Map(whole.map((one) => [one.order.id, one]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const byOrder = <Row extends { orderId: string }>(all: readonly Row[]): Map<string, Row[]> =>
  Map.groupBy(all, ({ orderId }) => orderId)

/** What reading an order for somebody takes. */
export type OrderReadDeps = {
  db: Db
  secrets: Pick<Secrets, 'hmac'>
  site: Pick<SiteSettings, 'known'>
  now: () => Date
}

/**
 * An order as `principal` sees it, also one that waits to be confirmed.
 * @param key the one of its signed link, if any
 * @throws ShopError `order.not_found`, also for orders of others
 */
export async function readOrder(
  deps: OrderReadDeps,
  principal: Principal,
  id: string,
  key: string | undefined,
): Promise<OrderAnswer> {
  return deps.db.transaction(async (tx) => {
    const waiting = await findWaiting(tx, id)
    if (waiting !== undefined) {
      await orderRole(deps, tx, principal, waiting, key, 'order:read')
      return waitingView(waiting, await paymentOf(tx, id))
    }
    const whole = await readWholeOrder(tx, id)
    const view = orderView(whole, await orderRole(deps, tx, principal, whole.order, key, 'order:read'))
    return view.kind === 'pickup' ? { ...view, pickUp: pickUpOf(whole, deps.site.known) } : view
  }, ONE_MOMENT)
}

const countOfLines = sql<number>`(select count(*)::int from order_lines l where l.order_id = orders.id)`

/** Of the first three lines, in their order. */
const firstTitles = sql<string[]>`array(
  select l.title from order_lines l where l.order_id = orders.id order by l.position limit 3)`

const stateOfPayment = sql<PaymentState | null>`(
  select p.state from payments p where p.order_id = orders.id order by p.created_at desc limit 1)`

/** Orders in the order of lists. */
export const newestFirst = [falling(orders.createdAt), falling(orders.id)]

/** Which orders are listed: those that match, of what was asked for, in this order. */
type OrderList = {
  where: SQL | undefined
  of: KeysetList['of']
  keys?: KeysetList['keys']
  /** Counts them, and how many of those are `beyond`, where that is another number than 10,000 at most. */
  count?: (beyond: SQL | undefined) => Promise<Counted>
}

/** A page of orders. Ids are sorted and cut off before rows are read. */
export async function pageOfOrders(
  db: Db,
  place: ListPlace,
  { where, of, keys = newestFirst, count }: OrderList,
) {
  const { rows: found, ...page } = await keysetPage(
    place,
    { keys, of },
    (part) => readRows(db, where, part),
    count ?? ((beyond) => countListed(db, orders, where, beyond)),
  )
  const rows = found.map(({ order, slot, contact, lines, titles, payment }) => ({
    _id: order.id,
    number: order.number,
    status: order.status,
    kind: order.kind,
    total: order.totalCents,
    payment,
    lines,
    titles,
    slot: plainSlot(slot),
    createdAt: timeText(order.createdAt),
    contact: contactView(contact),
  }))
  return { ...page, rows }
}

function readRows(db: Db, where: SQL | undefined, { where: beyond, order, limit, offset, at }: Part) {
  const ids = db
    .select({ id: orders.id })
    .from(orders)
    .where(and(where, beyond))
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
  return db
    .select({
      order: orders,
      slot: slots,
      contact: orderContacts,
      lines: countOfLines,
      titles: firstTitles,
      payment: stateOfPayment,
      at,
    })
    .from(orders)
    .innerJoin(slots, eq(slots.id, orders.slotId))
    .leftJoin(orderContacts, eq(orderContacts.orderId, orders.id))
    .where(inArray(orders.id, ids))
    .orderBy(...order)
}

/** Orders of an account, the newest first. */
export async function ownOrders(db: Db, userId: string, place: ListPlace): Promise<Paged<OrderRow>> {
  const found = await pageOfOrders(db, place, {
    where: eq(orders.userId, userId),
    of: ['orders of', { userId }],
  })
  return { ...found, rows: found.rows.map(({ contact: _, ...row }) => row) }
}
