import type { RecallOrder } from '@befaqt/domain/api/recall-api'
import { weightText } from '@befaqt/domain/labelling'
import { boxPath } from '@befaqt/domain/page-paths'
import { gramsPerUnit } from '@befaqt/domain/quantity'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { orderContacts, orderLineBoxes, orderLines, orders } from '#server/db/schema/orders.ts'
import { button, note, rowsOf, text } from '#server/mail/email-content.ts'
import { type NewEmail, queueEmails } from '#server/mail/send-email.ts'
import { orderLink } from '#server/orders/order-access.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { contactView } from '#server/orders/order-views.ts'
import { withdrawalReceipt } from './recall-notices.ts'

/** '1.2 kg', or '3 bag' of what is counted. */
export const amountText = ({ unit, amount }: RecallOrder['lines'][number]): string =>
  gramsPerUnit(unit) === null ? `${amount} ${unit}` : weightText(amount)

/** An order as an email about a recall names it. `lines`: what it has from the box. */
type MailedOrder = Pick<RecallOrder, '_id' | 'number' | 'contact' | 'lines'>
type About = { boxID: string; reason: string; order: MailedOrder }

const contents = {
  'order-recalled': {
    subject: (number: string) => `Do not eat it: recall of fish in your order ${number}`,
    heading: 'Please do not eat this fish',
    text: 'We are recalling fish from a box that your order was packed from. Please do not eat what is named below or give it to others. Keep it apart or throw it away, and contact us with your order number.',
  },
  'order-recall-withdrawn': {
    subject: (number: string) => `The recall of fish in your order ${number} was withdrawn`,
    heading: 'The recall was withdrawn',
    text: 'We told you not to eat fish from this order. That recall has been withdrawn.',
  },
}

/**
 * Queues emails to the buyers about a recall, or its withdrawal, when `tx` commits.
 * @param receipts of their notices, by order
 */
export async function mailRecall(
  tx: Tx,
  deps: OrderDeps,
  kind: keyof typeof contents,
  { orders, ...about }: Omit<About, 'order'> & { orders: readonly MailedOrder[] },
  receipts: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const emails = orders.flatMap((order): NewEmail[] => {
    const email = emailOf(deps, kind, { ...about, order })
    const receipt = receipts.get(order._id)
    return email === null ? [] : [receipt === undefined ? email : { ...email, receipt }]
  })
  await queueEmails(tx, deps.secrets, emails, deps.now())
}

/** Tells buyers who were told of a recall that it was withdrawn. @param told their orders, each with its notice */
export async function mailWithdrawal(
  tx: Tx,
  deps: OrderDeps,
  about: Omit<About, 'order'>,
  told: readonly { orderId: string; id: number }[],
): Promise<void> {
  const ids = told.map(({ orderId }) => orderId)
  const orders = await mailedOrders(tx, about.boxID, ids)
  const receipts = new Map(told.map(({ orderId, id }) => [orderId, withdrawalReceipt(id)]))
  await mailRecall(tx, deps, 'order-recall-withdrawn', { ...about, orders }, receipts)
}

/** Orders for emails about a recall of this box; also those that have nothing from it any more. */
export async function mailedOrders(tx: Tx, boxID: string, ids: readonly string[]): Promise<MailedOrder[]> {
  if (ids.length === 0) return []
  const among = sql.param([...ids])
  const found = await tx
    .select({ _id: orders.id, number: orders.number, contact: orderContacts })
    .from(orders)
    .leftJoin(orderContacts, eq(orderContacts.orderId, orders.id))
    .where(sql`${orders.id} = any(${among}::text[])`)
  const lines = await tx
    .select({
      order: orderLines.orderId,
      title: orderLines.title,
      unit: orderLines.unit,
      amount: orderLineBoxes.amount,
    })
    .from(orderLineBoxes)
    .innerJoin(
      orderLines,
      and(eq(orderLines.orderId, orderLineBoxes.orderId), eq(orderLines.position, orderLineBoxes.position)),
    )
    .where(sql`${orderLineBoxes.boxId} = ${boxID} and ${orderLineBoxes.orderId} = any(${among}::text[])`)
    .orderBy(asc(orderLines.orderId), asc(orderLines.position))
  const linesOf = Map.groupBy(lines, ({ order }) => order)
  return found.map(({ _id, number, contact }) => ({
    _id,
    number,
    contact: contactView(contact),
    lines: (linesOf.get(_id) ?? []).map(({ title, unit, amount }) => ({ title, unit, amount })),
  }))
}

function emailOf(
  deps: OrderDeps,
  kind: keyof typeof contents,
  { boxID, reason, order }: About,
): NewEmail | null {
  if (order.contact === null) return null
  const said = contents[kind]
  const blocks = [
    text(said.text),
    text(`Why: ${reason}`),
    rowsOf([
      ['Order', order.number],
      ['Box', boxID],
      ...order.lines.map((line): [string, string] => [line.title, amountText(line)]),
    ]),
    button('See the box', deps.config.PUBLIC_URL + boxPath(boxID)),
    button('See your order', orderLink(deps, order._id)),
    note('Anyone with this link can see the order. Please keep it to yourself.'),
  ]
  const content = { subject: said.subject(order.number), heading: said.heading, blocks }
  return { kind, to: order.contact.email, content }
}
