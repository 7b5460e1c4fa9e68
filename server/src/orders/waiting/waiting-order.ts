import { randomUUID } from 'node:crypto'
import type { ListPlace, Paged } from '@befaqt/domain/api/box-api'
import type { PlacedWaiting, WaitingOrder } from '@befaqt/domain/api/waiting-order-api'
import { slotText } from '@befaqt/domain/moment-text'
import { formatDollars } from '@befaqt/domain/money'
import type { PaymentMethod } from '@befaqt/domain/payment'
import { pickUpText } from '@befaqt/domain/place'
import { and, desc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/client.ts'
import { countListed, falling, keysetPage } from '#server/db/keyset.ts'
import { payments } from '#server/db/schema/payments.ts'
import { waitingOrders } from '#server/db/schema/waiting-orders.ts'
import { timeText } from '#server/db/stored-values.ts'
import { buttonOf, filledEmail, note, rowsOf, text } from '#server/mail/email-content.ts'
import { type EmailReceipts, queueEmail } from '#server/mail/send-email.ts'
import { insertPayment, mostOf } from '../insert-payment.ts'
import { confirmationLink } from '../order-access.ts'
import type { OrderDeps } from '../order-deps.ts'
import { lineRow, sumRows } from '../order-emails.ts'
import { totalsOfOrder } from '../order-totals.ts'
import { contactView, couponView, linesView, type PaymentRow, paymentView } from '../order-views.ts'
import { plainSlot } from '../slots.ts'
import type { Goods } from '../take-goods.ts'

/** Hours for which a large first order waits. */
const WAITING_HOURS = 24

/** A waiting order. `isOver`: it has lapsed, by the database's clock. */
export type Waiting = typeof waitingOrders.$inferSelect & { isOver: boolean }

const columns = {
  ...getTableColumns(waitingOrders),
  isOver: sql<boolean>`${waitingOrders.endsAt} <= clock_timestamp()`,
}

/** Writes an order down that takes nothing yet, and sends the email with the link that confirms it, or waits for a card. */
export async function addWaiting(
  tx: Tx,
  deps: OrderDeps,
  {
    goods,
    ...made
  }: Pick<Waiting, 'userId' | 'contact'> & { goods: Goods; total: number; payment: PaymentMethod },
): Promise<Omit<PlacedWaiting, 'link'>> {
  const { userId, contact, payment, total } = made
  const id = randomUUID()
  await tx.insert(waitingOrders).values({
    id,
    userId,
    status: 'WAITING',
    kind: goods.slot.kind,
    slot: plainSlot(goods.slot),
    lines: [...goods.lines],
    totalCents: total,
    ...goods.delivery,
    couponId: goods.coupon?.id ?? null,
    coupon: goods.coupon?.terms ?? null,
    payment,
    contact,
    endsAt: sql`clock_timestamp() + ${WAITING_HOURS} * interval '1 hour'`,
  })
  if (payment === 'card') await insertPayment(tx, deps, { id, amount: mostOf(total) })
  const waiting = await findWaiting(tx, id)
  if (waiting === undefined) throw new Error('a waiting order was inserted')
  if (payment === 'later') await mailWaiting(tx, deps, waiting)
  return plainView(waiting)
}

const isId = (id: string): boolean => z.uuid().safeParse(id).success

export async function findWaiting(db: Db | Tx, id: string): Promise<Waiting | undefined> {
  if (!isId(id)) return undefined
  const [found] = await db.select(columns).from(waitingOrders).where(eq(waitingOrders.id, id))
  return found
}

/** The same, locked until the transaction ends. What became an order meanwhile is no longer there. */
export async function lockWaiting(tx: Tx, id: string): Promise<Waiting | undefined> {
  if (!isId(id)) return undefined
  const [found] = await tx.select(columns).from(waitingOrders).where(eq(waitingOrders.id, id)).for('update')
  return found
}

export const waitingStatus = ({ status, isOver }: Waiting): WaitingOrder['status'] =>
  status === 'WAITING' && isOver ? 'LAPSED' : status

const totalsOf = ({ lines, ...terms }: Waiting) => totalsOfOrder(lines, terms)

function plainView(waiting: Waiting): Omit<PlacedWaiting, 'link'> {
  const lines = waiting.lines.map((line) => ({
    ...line,
    finalGrams: null,
    leftOutReason: null,
  }))
  return {
    _id: waiting.id,
    status: waitingStatus(waiting),
    kind: waiting.kind,
    lines: linesView(lines, { boxes: [], coupon: waiting.coupon }),
    totals: totalsOf(waiting),
    ...couponView(waiting.coupon),
    slot: waiting.slot,
    payment: waiting.payment,
    until: timeText(waiting.endsAt),
    createdAt: timeText(waiting.createdAt),
  }
}

export const waitingView = (waiting: Waiting, card: PaymentRow | null): WaitingOrder => ({
  ...plainView(waiting),
  reason: waiting.reason,
  card: paymentView({ payment: card, events: [] }),
  contact: contactView(waiting.contact),
  address: (waiting.contact?.address as WaitingOrder['address'] | undefined) ?? null,
  note: waiting.contact?.note ?? '',
})

/** The last payment by card of each of these orders that has one. */
async function lastPayments(db: Db | Tx, ids: readonly string[]): Promise<ReadonlyMap<string, PaymentRow>> {
  const found = await db
    .selectDistinctOn([payments.orderId])
    .from(payments)
    .where(inArray(payments.orderId, [...ids]))
    .orderBy(payments.orderId, desc(payments.createdAt))
  return new Map(found.map((payment) => [payment.orderId, payment]))
}

/** Its last payment by card; null: there is none. */
export const paymentOf = async (db: Db | Tx, id: string): Promise<PaymentRow | null> =>
  (await lastPayments(db, [id])).get(id) ?? null

/** Waiting orders and those that became none in the last days, for the shop: the newest first. */
export async function listWaiting(db: Db, place: ListPlace): Promise<Paged<WaitingOrder>> {
  const keys = [falling(waitingOrders.createdAt), falling(waitingOrders.id)]
  const { rows, ...page } = await keysetPage(
    place,
    { keys, of: ['waiting orders', {}] },
    ({ where, order, limit, offset, at }) =>
      db
        .select({ ...columns, at })
        .from(waitingOrders)
        .where(where)
        .orderBy(...order)
        .limit(limit)
        .offset(offset),
    (beyond) => countListed(db, waitingOrders, undefined, beyond),
  )
  return { ...page, rows: await viewsOf(db, rows) }
}

/** As many as an account is shown: it has more only where somebody plays with it. */
const MAX_OWN = 20

/** What waits for an account and may still be confirmed, the newest first. */
export async function ownWaiting(db: Db, userId: string): Promise<WaitingOrder[]> {
  const waits = and(eq(waitingOrders.status, 'WAITING'), sql`${waitingOrders.endsAt} > clock_timestamp()`)
  const found = await db
    .select(columns)
    .from(waitingOrders)
    .where(and(eq(waitingOrders.userId, userId), waits))
    .orderBy(desc(waitingOrders.createdAt), desc(waitingOrders.id))
    .limit(MAX_OWN)
  return viewsOf(db, found)
}

/** Each with its last payment by card. */
async function viewsOf(db: Db, found: readonly Waiting[]): Promise<WaitingOrder[]> {
  const ids = found.map(({ id }) => id)
  const cards = ids.length === 0 ? new Map<string, PaymentRow>() : await lastPayments(db, ids)
  return found.map((waiting) => waitingView(waiting, cards.get(waiting.id) ?? null))
}

const RECEIPT = /^waiting ([\da-f-]{36}) \d+$/

/** An email that is overtaken, since the order was confirmed, dropped or has lapsed, is not sent any more. */
export const waitingReceipts = ({ db }: { db: Db }): EmailReceipts => ({
  async isWanted(receipt) {
    const id = RECEIPT.exec(receipt)?.[1]
    if (id === undefined) return true
    const waiting = await findWaiting(db, id)
    return waiting?.status === 'WAITING' && !waiting.isOver
  },
  noteSent: async () => undefined,
})

/** Sends the email with the link that confirms a waiting order. It has nothing in it that a buyer typed. */
export async function mailWaiting(tx: Tx, deps: OrderDeps, waiting: Waiting): Promise<void> {
  const { id, contact, lines, slot, kind } = waiting
  if (contact === null) return
  const totals = totalsOf(waiting)
  const { place } = deps.site.known
  const content = filledEmail(deps, 'order-waiting', {
    details: [
      rowsOf([
        [kind === 'pickup' ? 'Pick-up' : 'Delivery', slotText(slot)],
        ...(kind === 'pickup' ? [['At', pickUpText(place)] as [string, string]] : []),
        ...lines.map(lineRow),
        ...sumRows(waiting.coupon, totals),
        ['Total', formatDollars(totals.total)],
      ]),
    ],
    links: [
      buttonOf(deps, 'order-waiting', confirmationLink(deps, id)),
      note('It was not you? Then do nothing: without this link nothing is ordered.'),
    ],
  })
  const count = waiting.emails + 1
  await tx.update(waitingOrders).set({ emails: count }).where(eq(waitingOrders.id, id))
  const receipt = `waiting ${id} ${count}` // `waitingReceipts` reads it
  await queueEmail(
    tx,
    deps.secrets,
    { kind: 'order-waiting', to: contact.email, content, receipt },
    deps.now(),
  )
}

/** Tells the buyer of an order that was paid for, and can't be had any more, that nothing is charged. */
export async function mailNotLeft(
  tx: Tx,
  deps: OrderDeps,
  { contact }: Waiting,
  reason: string,
): Promise<void> {
  if (contact === null) return
  const content = filledEmail(deps, 'order-not-left', { reason: [text(reason)] })
  await queueEmail(tx, deps.secrets, { kind: 'order-not-left', to: contact.email, content }, deps.now())
}
