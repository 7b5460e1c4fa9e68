import { randomUUID } from 'node:crypto'
import { couponIdle, type UsedCoupon } from '@befaqt/domain/coupon'
import type { EmailName } from '@befaqt/domain/email-texts'
import { unitsText, weightText } from '@befaqt/domain/labelling'
import { carryOut, edgeOf, type Handlers, type StayEffectOf } from '@befaqt/domain/life'
import { slotText } from '@befaqt/domain/moment-text'
import { type Cents, cents, formatDollars, NO_MONEY } from '@befaqt/domain/money'
import { type OrderAct, orderLife } from '@befaqt/domain/order-states'
import { paymentText } from '@befaqt/domain/payment'
import { type PickUpPlace, pickUpText } from '@befaqt/domain/place'
import { preparedTitle } from '@befaqt/domain/preparation'
import { eq } from 'drizzle-orm'
import { type LogReceipt, newestReceipt } from '#server/anchoring/index.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { orders } from '#server/db/schema/orders.ts'
import {
  type Block,
  button,
  buttonOf,
  type EmailContent,
  filledEmail,
  note,
  rowsOf,
  text,
} from '#server/mail/email-content.ts'
import { type EmailReceipts, type NewEmail, queueEmails } from '#server/mail/send-email.ts'
import { freshnessBlocks } from './email-freshness.ts'
import { calendarLink, confirmationLink, invoiceLink, orderLink } from './order-access.ts'
import type { OrderDeps } from './order-deps.ts'
import { totalsOfOrder } from './order-totals.ts'
import { asksBuyer, paymentSums, pickUpOf, sellerOf, type WholeOrder } from './order-views.ts'
import { plainSlot } from './slots.ts'

/** What an email to a buyer is about. */
const news = [
  'placed',
  'amended',
  'changed',
  'left-out',
  'replaced',
  'moved',
  'ready',
  'sent',
  'cancelled',
  'unpaid',
  'refunded',
] as const
export type OrderNews = (typeof news)[number]

/** Said of fish in place of recalled fish, whatever else the email says. */
const REPLACED =
  'Your order had not left our shop. What we recalled was taken out, and as much from another box was put in. What you get now is not recalled.'

/** What a first order is asked for: it stands without, too. */
const CONFIRM = 'Please open the link and confirm there that it was you.'

/** Emails the buyer, when `tx` commits, unless the account was deleted. @param reason of a cancellation or move */
export const mailOrder = (
  tx: Tx,
  deps: OrderDeps,
  about: OrderNews,
  whole: WholeOrder,
  reason = '',
): Promise<void> => mailOrders(tx, deps, about, [whole], reason)

/** The same to the buyers of several orders, in one statement. */
export async function mailOrders(
  tx: Tx,
  deps: OrderDeps,
  about: OrderNews,
  wholes: readonly WholeOrder[],
  reason = '',
): Promise<void> {
  const told = wholes.filter(({ contact }) => contact !== null)
  const fresh = withoutFish.includes(about) ? new Map() : await freshnessBlocks(tx, deps, told)
  const log = told.length === 0 ? undefined : await newestReceipt(tx)
  const emails = told.flatMap(({ contact, ...rest }): NewEmail[] => {
    if (contact === null) return []
    const whole = { contact, ...rest }
    const content = contentOf(deps, about, whole, { reason, fresh: fresh.get(whole.order.id) ?? [], log })
    return [{ kind: `order-${about}`, to: contact.email, content, receipt: receiptOf(about, whole.order) }]
  })
  await queueEmails(tx, deps.secrets, emails, deps.now())
}

function contentOf(
  deps: OrderDeps,
  about: OrderNews,
  whole: WholeOrder,
  { reason, fresh, log }: { reason: string; fresh: readonly Block[]; log: LogReceipt | undefined },
): EmailContent {
  const { order } = whole
  const asks = (about === 'placed' || about === 'amended') && order.network !== null
  const inCalendar = calendar[about]
  const details: Block[] = [
    ...(asks ? [text(CONFIRM)] : []),
    ...(reason === '' ? [] : [text(reason)]),
    rowsOf(rowsOfOrder(whole, pickUpOf(whole, deps.site.known))),
    ...fresh,
  ]
  const name = templateOf(about, whole)
  const links: Block[] = [
    asks
      ? button('See and confirm your order', confirmationLink(deps, order.id))
      : buttonOf(deps, name, orderLink(deps, order.id)),
    ...(inCalendar === undefined ? [] : [button(inCalendar, calendarLink(deps, order.id))]),
    ...(order.invoiceNumber === null ? [] : [button(invoiceLabel(deps, whole), invoiceLink(deps, order.id))]),
    note('Anyone with this link can see the order. Please keep it to yourself.'),
    ...receiptBlocks(deps, log),
  ]
  const recall = [text(REPLACED)]
  return filledEmail(deps, name, { order: order.number, details, links, recall })
}

/** The newest state of the log, for the buyer to keep: nothing while nothing is signed. */
const receiptBlocks = ({ config }: OrderDeps, log: LogReceipt | undefined): Block[] =>
  log === undefined
    ? []
    : [
        note(
          `Keep this email: it holds us to our records. If those of the past are ever changed, it shows when you paste this at ${config.PUBLIC_URL}/SFMBox/check`,
        ),
        note(`${log.line}\n\n${log.note.trimEnd()}`),
      ]

/** What the button to the calendar file says in emails that change what it says. */
const calendar: Readonly<Partial<Record<OrderNews, string>>> = {
  placed: 'Put it into your calendar',
  amended: 'Put it into your calendar',
  moved: 'Change it in your calendar',
  cancelled: 'Take it out of your calendar',
}

type Told = { tx: Tx; deps: OrderDeps; whole: WholeOrder; reason: string }
const tell =
  (about: OrderNews) =>
  ({ tx, deps, whole, reason }: Told): Promise<void> =>
    mailOrder(tx, deps, about, whole, reason)

const toldOfAct: Handlers<StayEffectOf<typeof orderLife>, [Told], void> = {
  'email: changed': tell('changed'),
  'email: left-out': tell('left-out'),
  'email: moved': tell('moved'),
  'email: amended': tell('amended'),
  'email: replaced': tell('replaced'),
}

/** Emails the buyer what the table of the life says of something that is done with an order within its state. */
export const mailAct = (
  tx: Tx,
  deps: OrderDeps,
  act: OrderAct,
  whole: WholeOrder,
  reason = '',
): Promise<unknown> =>
  carryOut(edgeOf(orderLife, whole.order.status, act)?.effects, toldOfAct, { tx, deps, whole, reason })

type Asked = Pick<WholeOrder['order'], 'id' | 'slotId' | 'totalCents' | 'amendments'>

/** News of money, or of no fish at all: nothing is said of how fresh it is. */
const withoutFish: readonly OrderNews[] = ['cancelled', 'unpaid', 'refunded']

/** Emails that hold however the order ends. */
const lasting: readonly OrderNews[] = ['cancelled', 'refunded']

/** What an email says that may be overtaken; '-': nothing but that the order stands. */
function saidBy(about: OrderNews, { slotId, totalCents, amendments }: Omit<Asked, 'id'>): string {
  switch (about) {
    case 'placed':
      return amendments === 0 ? '-' : `${amendments}`
    case 'amended':
      return `${amendments}.${slotId}`
    case 'moved':
      return slotId
    case 'changed':
      return `${totalCents}`
    default:
      return '-'
  }
}

/** Each email has one of its own, so that none replaces another. */
const receiptOf = (about: OrderNews, order: Asked): string =>
  ['order', about, order.id, saidBy(about, order), randomUUID()].join(' ')

const RECEIPT = /^order (\S+) (\S+) (\S+) \S+$/

/**
 * What orders say of their emails while these are sent: one that waited for another try while its order was cancelled,
 * or got another time or total or was changed by its buyer, is not sent after the email that says so.
 */
export const orderReceipts = (db: Db): EmailReceipts => ({
  async isWanted(receipt) {
    const [, kind, id, said] = RECEIPT.exec(receipt) ?? []
    const about = news.find((one) => one === kind)
    if (about === undefined || id === undefined || lasting.includes(about)) return true
    const [order] = await db.select().from(orders).where(eq(orders.id, id))
    return order === undefined || (order.status !== 'CANCELLED' && saidBy(about, order) === said)
  },
  noteSent: async () => undefined,
})

/** Whose words an email has: they differ where the buyer is asked, and where money is given back. */
function templateOf(about: OrderNews, { order, payment }: WholeOrder): EmailName {
  if (about === 'changed' && asksBuyer(order)) return 'order-asks'
  return about === 'cancelled' && payment?.state === 'CAPTURED' ? 'order-cancelled-paid' : `order-${about}`
}

/** What the invoice of an order is called. */
const invoiceLabel = ({ site }: OrderDeps, whole: WholeOrder): string =>
  whole.order.status === 'CANCELLED'
    ? 'Adjustment note'
    : sellerOf(whole, site.known).abn === undefined
      ? 'Order statement'
      : 'Tax invoice'

const row = (name: string, text: string): [string, string] => [name, text]

function rowsOfOrder(whole: WholeOrder, place: PickUpPlace): [string, string][] {
  const { order, lines, slot, payment } = whole
  const totals = totalsOfOrder(lines, order)
  const { total, gst } = totals
  return [
    ['Order', order.number],
    [order.kind === 'pickup' ? 'Pick-up' : 'Delivery', slotText(plainSlot(slot))],
    ...(order.kind === 'pickup' ? [row('At', pickUpText(place))] : []),
    ...lines.map(lineRow),
    ...sumRows(order.coupon, totals),
    ['Total', formatDollars(total)],
    ...(gst > 0 ? [row('GST included', formatDollars(gst))] : []),
    ...(payment === null ? [] : [row('Payment', paymentText(order.status, total, paymentSums(whole)))]),
  ]
}

/** What a coupon takes off, or why it takes nothing, and what a delivery costs: where there is one. */
export const sumRows = (
  coupon: UsedCoupon | null,
  { coupon: off = NO_MONEY, delivery }: { coupon?: Cents; delivery: Cents },
): [string, string][] => [
  ...(coupon === null
    ? []
    : [row(`Coupon ${coupon.code}`, off > 0 ? formatDollars(-off as Cents) : couponIdle(coupon))]),
  ...(delivery > 0 ? [row('Delivery fee', formatDollars(delivery))] : []),
]

type ToldLine = Pick<
  WholeOrder['lines'][number],
  'title' | 'priceCents' | 'unit' | 'quantity' | 'orderedGrams'
> &
  Partial<Pick<WholeOrder['lines'][number], 'finalGrams' | 'leftOutReason' | 'preparation'>>

/** A line with what is done to it, how much of it, and at which price. */
export const lineRow = (line: ToldLine): [string, string] => [
  preparedTitle(line.title, line.preparation?.kind),
  quantityText(line),
]

function quantityText(line: ToldLine): string {
  if (line.leftOutReason != null) return 'left out'
  const price = `at ${formatDollars(cents(line.priceCents))}/${line.unit}`
  if (line.finalGrams != null) return `${line.finalGrams} g net ${price}`
  return line.orderedGrams === null
    ? `${unitsText(line.quantity, line.unit)} ${price}`
    : `about ${weightText(line.orderedGrams)} ${price}, to be weighed`
}
