import type { RecallOrder } from '@befaqt/domain/api/recall-api'
import { weightText } from '@befaqt/domain/labelling'
import { gramsPerUnit } from '@befaqt/domain/order-weight'
import { boxPath } from '@befaqt/domain/page-paths'
import type { Tx } from '#server/db/client.ts'
import { button, note, rowsOf, text } from '#server/mail/email-content.ts'
import { type NewEmail, queueEmails } from '#server/mail/send-email.ts'
import { orderLink } from '#server/orders/order-access.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'

/** '1.2 kg', or '3 bag' of what is counted. */
export const amountText = ({ unit, amount }: RecallOrder['lines'][number]): string =>
  gramsPerUnit(unit) === null ? `${amount} ${unit}` : weightText(amount)

type About = { boxID: string; reason: string; order: RecallOrder }

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
  { orders, ...about }: Omit<About, 'order'> & { orders: readonly RecallOrder[] },
  receipts: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const emails = orders.flatMap((order): NewEmail[] => {
    const email = emailOf(deps, kind, { ...about, order })
    const receipt = receipts.get(order._id)
    return email === null ? [] : [receipt === undefined ? email : { ...email, receipt }]
  })
  await queueEmails(tx, deps.secrets, emails, deps.now())
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
