import { slotText } from '@befaqt/domain/moment-text'
import { formatDollars, NO_MONEY } from '@befaqt/domain/money'
import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { waitingOrders } from '#server/db/schema/waiting-orders.ts'
import { button, note, rowsOf, text } from '#server/mail/email-content.ts'
import { queueEmail } from '#server/mail/send-email.ts'
import { confirmationLink } from '#server/orders/order-access.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { quantityText } from '#server/orders/order-emails.ts'
import { totalsOfOrder } from '#server/orders/order-views.ts'
import type { Waiting } from './waiting-order.ts'

/** Sends the email with the link that confirms a waiting order. It has nothing in it that a buyer typed. */
export async function mailWaiting(tx: Tx, deps: OrderDeps, waiting: Waiting): Promise<void> {
  const { id, contact, lines, slot, kind } = waiting
  if (contact === null) return
  const { total } = totalsOfOrder(lines, NO_MONEY)
  const blocks = [
    text(
      'Somebody ordered this with your address, for the first time and a lot of it. Nothing is taken for it yet: please open the link and confirm it there within 24 hours. What is left then is yours.',
    ),
    rowsOf([
      [kind === 'pickup' ? 'Pick-up' : 'Delivery', slotText(slot)],
      ...lines.map((line): [string, string] => [line.title, quantityText(line)]),
      ['Total', formatDollars(total)],
    ]),
    button('See and confirm the order', confirmationLink(deps, id)),
    note('It was not you? Then do nothing: without this link nothing is ordered.'),
  ]
  const content = { subject: 'Please confirm your order', heading: 'Please confirm your order', blocks }
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
  const heading = 'Your order could not be filled'
  const blocks = [text(reason), text('Nothing is charged: what is held on your card is released.')]
  const content = { subject: heading, heading, blocks }
  await queueEmail(tx, deps.secrets, { kind: 'order-not-left', to: contact.email, content }, deps.now())
}
