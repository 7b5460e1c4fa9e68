import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedOrderRow, OrderRow, OrderView } from '@befaqt/domain/api/order-api'
import type { OrderState } from '@befaqt/domain/order-states'
import { and, asc, desc, eq, getTableColumns, or, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, ONE_MOMENT, type Tx } from '#server/db/client.ts'
import { boxes as boxTable } from '#server/db/schema/boxes.ts'
import {
  orderContacts,
  orderEvents,
  orderLineBoxes,
  orderLines,
  orders,
  slots,
} from '#server/db/schema/orders.ts'
import { recalls } from '#server/db/schema/recalls.ts'
import { likeText, matchesAllWords } from '#server/db/search-and-order.ts'
import { timeText } from '#server/db/stored-values.ts'
import type { Principal } from '#server/identity/principal.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { orderNotFound, orderRole } from './order-access.ts'
import { contactView, type OrderRecord, orderView, type WholeOrder } from './order-views.ts'
import { plainSlot } from './slots.ts'

/** Ids are UUIDs; anything else, which the database might not even take, is an order that is not there. */
const isOrderId = (id: string): boolean => z.uuid().safeParse(id).success

/** Reads the order and locks it until the transaction ends. @throws ShopError `order.not_found` */
export async function lockOrder(tx: Tx, id: string): Promise<OrderRecord> {
  if (!isOrderId(id)) throw orderNotFound()
  const [order] = await tx.select().from(orders).where(eq(orders.id, id)).for('update')
  if (order === undefined) throw orderNotFound()
  return order
}

/** Reads an order with all that belongs to it. @throws ShopError `order.not_found` */
export async function readWholeOrder(db: Db | Tx, id: string): Promise<WholeOrder> {
  if (!isOrderId(id)) throw orderNotFound()
  const [found] = await db
    .select()
    .from(orders)
    .innerJoin(slots, eq(slots.id, orders.slotId))
    .leftJoin(orderContacts, eq(orderContacts.orderId, orders.id))
    .where(eq(orders.id, id))
  if (found === undefined) throw orderNotFound()
  const lines = await db
    .select()
    .from(orderLines)
    .where(eq(orderLines.orderId, id))
    .orderBy(asc(orderLines.position))
  const boxes = await db
    .select({ ...getTableColumns(orderLineBoxes), recall: recalls.reason })
    .from(orderLineBoxes)
    .innerJoin(boxTable, eq(boxTable.id, orderLineBoxes.boxId))
    .leftJoin(recalls, eq(recalls.id, boxTable.recallId))
    .where(eq(orderLineBoxes.orderId, id))
    .orderBy(asc(orderLineBoxes.position), asc(orderLineBoxes.boxId))
  const events = await db
    .select()
    .from(orderEvents)
    .where(eq(orderEvents.orderId, id))
    .orderBy(asc(orderEvents.id))
  return { order: found.orders, slot: found.slots, contact: found.order_contacts, lines, boxes, events }
}

/** What reading an order for somebody takes. */
export type OrderReadDeps = { db: Db; secrets: Pick<Secrets, 'hmac'> }

/**
 * An order as `principal` sees it.
 * @param key the one of its signed link, if any
 * @throws ShopError `order.not_found`, also for orders of others
 */
export async function readOrder(
  deps: OrderReadDeps,
  principal: Principal,
  id: string,
  key: string | undefined,
): Promise<OrderView> {
  const whole = await deps.db.transaction((tx) => readWholeOrder(tx, id), ONE_MOMENT)
  return orderView(whole, orderRole(deps, principal, whole.order, key))
}

type Page = { page: number; size: number; offset: number }

const countOfLines = sql<number>`(select count(*)::int from order_lines l where l.order_id = orders.id)`

async function pageOfOrders(db: Db, where: SQL | undefined, { page, size, offset }: Page) {
  const joined = db
    .select({ order: orders, slot: slots, contact: orderContacts, lines: countOfLines })
    .from(orders)
    .innerJoin(slots, eq(slots.id, orders.slotId))
    .leftJoin(orderContacts, eq(orderContacts.orderId, orders.id))
    .where(where)
    .orderBy(desc(orders.createdAt), desc(orders.id))
    .limit(size)
    .offset(offset)
  const counted = db
    .select({ total: sql<number>`count(*)::int` })
    .from(orders)
    .leftJoin(orderContacts, eq(orderContacts.orderId, orders.id))
    .where(where)
  const [found, [count]] = await Promise.all([joined, counted])
  const rows = found.map(({ order, slot, contact, lines }) => ({
    _id: order.id,
    number: order.number,
    status: order.status,
    kind: order.kind,
    total: order.totalCents,
    lines,
    slot: plainSlot(slot),
    createdAt: timeText(order.createdAt),
    contact: contactView(contact),
  }))
  return { rows, page, size, total: count?.total ?? 0 }
}

/** Orders of an account, the newest first. */
export async function ownOrders(db: Db, userId: string, page: Page): Promise<Paged<OrderRow>> {
  const found = await pageOfOrders(db, eq(orders.userId, userId), page)
  return { ...found, rows: found.rows.map(({ contact: _, ...row }) => row) }
}

/** All orders, the newest first. `q` searches numbers, names, emails and phones. */
export function allOrders(
  db: Db,
  { q, status, slot }: { q?: string | undefined; status?: OrderState | undefined; slot?: string | undefined },
  page: Page,
): Promise<Paged<ManagedOrderRow>> {
  const number = q?.trim() ? sql`${orders.number} ilike ${likeText(q)}` : undefined
  const found = or(number, matchesAllWords(orderContacts.search, q))
  const where = and(status && eq(orders.status, status), slot ? eq(orders.slotId, slot) : undefined, found)
  return pageOfOrders(db, where, page)
}
