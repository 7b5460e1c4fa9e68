import { amountIn } from '@befaqt/domain/amount'
import type { RecallOrder } from '@befaqt/domain/api/recall-api'
import { boughtText } from '@befaqt/domain/labelling'
import { boxPath } from '@befaqt/domain/page-paths'
import { and, asc, eq, sql } from 'drizzle-orm'
import { lockBox } from '#server/boxes/index.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { orderContacts, orderLineBoxes, orderLines, orders } from '#server/db/schema/orders.ts'
import { recallNotices, recalls } from '#server/db/schema/recalls.ts'
import { button, buttonOf, DO_NOT_EAT, filledEmail, note, rowsOf, text } from '#server/mail/email-content.ts'
import { type EmailReceipts, type NewEmail, queueEmails } from '#server/mail/send-email.ts'
import { orderLink } from '../order-access.ts'
import type { OrderDeps } from '../order-deps.ts'
import { contactView } from '../order-views.ts'
import { findRecall } from './read-recall.ts'
import { addNotices, noteTold, noteWithdrawn, noticeOf, withdrawalReceipt } from './recall-notices.ts'

/** An order as an email about a recall names it. `lines`: what it has from the box. */
type MailedOrder = Pick<RecallOrder, '_id' | 'number' | 'contact' | 'lines'>
type About = { boxID: string; reason: string; order: MailedOrder }

/** What each says of its recall, whatever else it says. */
const contents = {
  'order-recalled':
    'We are recalling fish from a box that your order was packed from. Please do not eat what is named below or give it to others. Keep it apart or throw it away, and contact us with your order number.',
  'order-recall-withdrawn': 'We told you not to eat fish from this order. That recall has been withdrawn.',
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
async function mailedOrders(tx: Tx, boxID: string, ids: readonly string[]): Promise<MailedOrder[]> {
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
  const content = filledEmail(deps, kind, {
    ...DO_NOT_EAT,
    order: order.number,
    recall: [text(contents[kind]), text(`Why: ${reason}`)],
    details: [
      rowsOf([
        ['Order', order.number],
        ['Box', boxID],
        ...order.lines.map((line): [string, string] => [
          line.title,
          boughtText(amountIn(line.unit, line.amount), line.unit),
        ]),
      ]),
    ],
    links: [
      buttonOf(deps, kind, deps.config.PUBLIC_URL + boxPath(boxID)),
      button('See your order', orderLink(deps, order._id)),
      note('Anyone with this link can see the order. Please keep it to yourself.'),
    ],
  })
  return { kind, to: order.contact.email, content }
}

/**
 * What recalls say of their emails while these are sent. An email that is overtaken is not sent; where the mail server
 * took it in the very moment, the buyer is sent the other one, so that what arrives last is true.
 */
export const recallReceipts = (deps: OrderDeps): EmailReceipts => ({
  async isWanted(receipt) {
    const found = await recallOf(deps.db, receipt)
    if (found === undefined) return true
    const { isWithdrawal, endedAt, boxId } = found
    return isWithdrawal ? (await findRecall(deps.db, boxId)) === undefined : endedAt === null
  },
  async noteSent(tx, receipt) {
    const named = await recallOf(tx, receipt)
    if (named === undefined) return
    const { boxId: boxID, orderId, id } = named
    await lockBox(tx, boxID) // no recall begins or ends meanwhile
    const standing = await findRecall(tx, boxID)
    if (!named.isWithdrawal) {
      await noteTold(tx, [id])
      const ended = await recallOf(tx, receipt)
      if (standing !== undefined || ended?.endedAt == null) return
      await mailWithdrawal(tx, deps, { boxID, reason: ended.endReason ?? '' }, [{ orderId, id }])
      return
    }
    await noteWithdrawn(tx, boxID, id)
    if (standing === undefined) return
    const receipts = await addNotices(tx, standing.id, [orderId])
    const orders = await mailedOrders(tx, boxID, [orderId])
    await mailRecall(tx, deps, 'order-recalled', { boxID, reason: standing.reason, orders }, receipts)
  },
})

/** The notice of a receipt with its recall; undefined: it is none of a recall. */
async function recallOf(db: Db | Tx, receipt: string) {
  const notice = noticeOf(receipt)
  if (notice === null) return undefined
  const [found] = await db
    .select({
      orderId: recallNotices.orderId,
      boxId: recalls.boxId,
      endedAt: recalls.endedAt,
      endReason: recalls.endReason,
    })
    .from(recallNotices)
    .innerJoin(recalls, eq(recalls.id, recallNotices.recallId))
    .where(eq(recallNotices.id, notice.id))
  return found && { ...found, ...notice }
}
