import type { Amount } from '@befaqt/domain/amount'
import type { OrderView, PlacedOrder } from '@befaqt/domain/api/order-api'
import type { UsedCoupon } from '@befaqt/domain/coupon'
import type { StayNeedOf } from '@befaqt/domain/life'
import { cents } from '@befaqt/domain/money'
import {
  type Amendability,
  type FulfilmentKind,
  mayDo,
  movesFrom,
  type OrderState,
  type orderLife,
} from '@befaqt/domain/order-states'
import { mostCharged } from '@befaqt/domain/order-totals'
import type { PaymentSums } from '@befaqt/domain/payment'
import type { PickUpPlace } from '@befaqt/domain/place'
import type {
  orderContacts,
  orderEvents,
  orderLineBoxes,
  orderLines,
  orders,
} from '#server/db/schema/orders.ts'
import type { payments } from '#server/db/schema/payments.ts'
import { timeText } from '#server/db/stored-values.ts'
import type { Seller, Settings } from '#server/site/index.ts'
import type { OrderRole } from './order-access.ts'
import { chargedLines, type PricedLine, totalsOfOrder } from './order-totals.ts'
import { plainSlot, type SlotRow } from './slots.ts'

export type OrderRecord = typeof orders.$inferSelect
export type OrderLineRow = typeof orderLines.$inferSelect
export type ContactRow = typeof orderContacts.$inferSelect
/** A box of a line with what came from it, and why it is recalled; null: it is not. */
type LineBox = Omit<typeof orderLineBoxes.$inferSelect, 'amount'> & { amount: Amount; recall: string | null }
export type PaymentRow = typeof payments.$inferSelect
type EventRow = typeof orderEvents.$inferSelect

/** An order with all that belongs to it. */
export type WholeOrder = {
  order: OrderRecord
  slot: SlotRow
  lines: readonly OrderLineRow[]
  boxes: readonly LineBox[]
  contact: ContactRow | null
  events: readonly EventRow[]
  /** The last one by card; null: the buyer pays on receipt. */
  payment: PaymentRow | null
  /** Does its slot still take orders, by the database's clock when it was read? */
  beforeCutOff: boolean
}

/** Lines that will be packed from a box, as far as anybody knows: none is chosen yet, and none is to be left out. */
export const linesToPack = ({ order, lines, boxes }: WholeOrder): WholeOrder['lines'] =>
  order.status !== 'PLACED'
    ? []
    : lines.filter(
        ({ position, leftOutReason, noBoxReason }) =>
          leftOutReason === null && noBoxReason === null && boxes.every((box) => box.position !== position),
      )

const kindName = { pickup: 'Pick-up', delivery: 'Delivery' } as const

/** What the history says of an order that its buyer wants otherwise than before. */
export const insteadText = (to: FulfilmentKind, from: FulfilmentKind): string =>
  `${kindName[to]} instead of ${kindName[from].toLowerCase()}.`

/** Where it is picked up: as was said when its buyer chose to, at first or later. */
export function pickUpOf({ order, events }: WholeOrder, { placeAt }: Settings): PickUpPlace {
  const chosen = events.findLast(({ reason }) => reason.includes(insteadText('pickup', 'delivery')))
  return placeAt(chosen?.happenedAt ?? order.createdAt)
}

/** Who sold it: named on its invoice as of when it got that; until then who would sell it now. */
export const sellerOf = ({ order, events }: WholeOrder, { seller, sellerAt }: Settings): Seller => {
  const packed = events.findLast(({ status }) => status === 'PACKED')
  return order.invoiceNumber === null || packed === undefined ? seller : sellerAt(packed.happenedAt)
}

/** Was more weighed than the buyer agreed to, with the tolerance? */
export const asksBuyer = ({ totalCents, agreedCents, tolerancePercent }: OrderRecord): boolean =>
  totalCents > mostCharged(cents(agreedCents), tolerancePercent)

/** Why an order can't be amended where something is not so. */
const amendNeeds: Readonly<
  Record<StayNeedOf<typeof orderLife>, (whole: WholeOrder, total: number) => Amendability>
> = {
  'packing not begun': ({ lines, boxes }) =>
    boxes.length > 0 || lines.some(({ weighedAt }) => weighedAt !== null) ? 'packing' : 'open',
  'before the cut-off': ({ beforeCutOff }) => (beforeCutOff ? 'open' : 'late'),
  'card not being paid': ({ payment }) => (payment?.state === 'OPEN' ? 'card' : 'open'),
  // What was charged stays as it is; what is held is charged up to its amount.
  'total covered by the card': ({ order, payment }, total) =>
    (payment?.state === 'CAPTURED' && total !== order.totalCents) ||
    (payment?.state === 'AUTHORIZED' && total > payment.amountCents)
      ? 'card'
      : 'open',
}

/** Can its buyer change an order, so that it comes to this total, or why not? */
export function amendabilityOf(whole: WholeOrder, total: number = whole.order.totalCents): Amendability {
  if (!mayDo(whole.order.status, 'amend') || whole.contact === null) return 'state'
  const answers = Object.values(amendNeeds).map((need) => need(whole, total))
  return answers.find((answer) => answer !== 'open') ?? 'open'
}

type ShownLine = Pick<
  OrderLineRow,
  'position' | 'title' | 'orderedGrams' | 'finalGrams' | 'origin' | 'leftOutReason'
> &
  Partial<Pick<OrderLineRow, 'preparation'>> &
  PricedLine

/** Lines as they are shown, with the boxes that they were packed from. */
export function linesView(
  lines: readonly ShownLine[],
  { boxes, coupon }: { boxes: WholeOrder['boxes']; coupon: UsedCoupon | null },
): OrderView['lines'] {
  const charged = chargedLines(lines, coupon)
  return lines.flatMap((line, i) => {
    const sums = charged[i]
    if (sums === undefined) return []
    const { includeGST, productId: _id, ordered: _ordered, ...totals } = sums
    return {
      position: line.position,
      product_id: line.productId,
      title: line.title,
      unit: line.unit,
      price: line.priceCents,
      discount: line.discount,
      includeGST,
      quantity: line.quantity,
      ...(line.preparation && { preparation: line.preparation }),
      orderedGrams: line.orderedGrams,
      finalGrams: line.finalGrams,
      ...totals,
      origin: line.origin,
      leftOut: line.leftOutReason ?? null,
      boxes: boxes
        .filter(({ position }) => position === line.position)
        .map(({ boxId, amount, recall, saleSeq }) => ({
          boxID: boxId,
          amount: amount.value,
          recall,
          sale: saleSeq,
        })),
    }
  })
}

/** The coupon of an order, where it has one. */
export const couponView = (coupon: UsedCoupon | null): Pick<OrderView, 'coupon'> =>
  coupon === null ? {} : { coupon: { ...coupon, products: coupon.products && [...coupon.products] } }

const placed = (
  whole: Pick<WholeOrder, 'order' | 'slot' | 'lines' | 'boxes'>,
): Omit<PlacedOrder, 'link'> => ({
  _id: whole.order.id,
  number: whole.order.number,
  status: whole.order.status,
  kind: whole.order.kind,
  lines: linesView(whole.lines, { boxes: whole.boxes, coupon: whole.order.coupon }),
  totals: totalsOfOrder(whole.lines, whole.order),
  ...couponView(whole.order.coupon),
  slot: plainSlot(whole.slot),
  createdAt: timeText(whole.order.createdAt),
})

/** An order as it was just placed, without its link. */
export const placedView = (whole: Pick<WholeOrder, 'order' | 'slot' | 'lines'>): Omit<PlacedOrder, 'link'> =>
  placed({ ...whole, boxes: [] })

export const contactView = (
  contact: Pick<ContactRow, 'fname' | 'lname' | 'email' | 'phone'> | null,
): OrderView['contact'] =>
  contact && {
    fname: contact.fname,
    lname: contact.lname,
    email: contact.email,
    phone: contact.phone,
  }

/** What the shop was told of an order that was paid otherwise than by card, in cents. */
export const paidOtherwise = ({ events }: Pick<WholeOrder, 'events'>): number =>
  events.reduce((sum, { paidCents }) => sum + (paidCents ?? 0), 0)

export const paymentSums = (
  whole: Pick<WholeOrder, 'payment' | 'events'>,
): (PaymentSums & { otherwise: number }) | null =>
  whole.payment && {
    state: whole.payment.state,
    amount: whole.payment.amountCents,
    captured: whole.payment.capturedCents,
    refunded: whole.payment.refundedCents,
    otherwise: paidOtherwise(whole),
  }

/** The last payment by card, as it is shown; null: there is none. */
export function paymentView(whole: Pick<WholeOrder, 'payment' | 'events'>): OrderView['payment'] {
  const sums = paymentSums(whole)
  return whole.payment && sums && { ...sums, until: timeText(whole.payment.endsAt) }
}

/** An order as its buyer or the shop sees it; a key for some boxes sees neither the buyer nor what people wrote. */
export function orderView(whole: WholeOrder, role: OrderRole): OrderView {
  const { order, events } = whole
  const contact = role === 'boxes' ? null : whole.contact
  const moves: OrderState[] = movesFrom(order.status, order.kind, role === 'buyer' ? 'buyer' : 'shop')
  return {
    ...placed(whole),
    invoiceNumber: order.invoiceNumber,
    agreed: order.agreedCents,
    most: mostCharged(cents(order.agreedCents), order.tolerancePercent),
    asksBuyer: asksBuyer(order),
    unconfirmed: order.network !== null && order.status === 'PLACED',
    contact: contactView(contact),
    address: (contact?.address as OrderView['address'] | undefined) ?? null,
    ...(role !== 'boxes' && order.delivery && { delivery: order.delivery }),
    note: contact?.note ?? '',
    payment: paymentView(whole),
    events: events
      .filter(({ internal }) => role === 'shop' || !internal)
      .map(({ status, reason, paidCents, happenedAt }) => ({
        status,
        reason: role === 'boxes' ? '' : reason,
        paid: paidCents,
        happenedAt: timeText(happenedAt),
      })),
    amendable: amendabilityOf(whole),
    moves,
    version: order.version,
  }
}
