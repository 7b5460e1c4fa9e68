/* Payments by card: their life, and what follows from it. Free of the schema library, so that pages may load it early. */
import { HOUR_MS } from './durations.ts'
import { type ActionOf, type EdgeOf, edgeOf, life, moveTo, type StateOf, statesOf } from './life.ts'
import { type Cents, cents, formatDollars } from './money.ts'
import { isOver, type OrderState } from './order-states.ts'

/** How an order is paid: when the buyer gets it, or by card beforehand. */
export const paymentMethods = ['later', 'card'] as const
export type PaymentMethod = (typeof paymentMethods)[number]

const provider = ['provider'] as const
/** The shop asks the provider for it, which may also report it by itself. */
const asked = ['shop', 'provider'] as const
const paid = ['confirm the order', 'email: placed', 'settle'] as const
const held = { to: 'AUTHORIZED', by: provider, effects: [...paid, 'settle about its end'] } as const

/**
 * Every move of a payment by card. An amount is authorized first, which holds it on the card, and captured, which
 * charges it, when the order is packed. The provider's messages arrive in any order; invalid moves are ignored.
 */
export const paymentLife = life({
  new: { begin: { to: 'OPEN', by: ['buyer'], effects: ['settle at its end'] } },
  /** The buyer is asked to pay. */
  OPEN: {
    close: { to: 'LAPSED', by: asked, effects: ['cancel the order'] },
    authorize: held,
    capture: { to: 'CAPTURED', by: provider, effects: paid },
    pay: { to: 'OPEN', by: ['buyer'] },
  },
  /** Not paid in time. A payment that arrives later is refunded. */
  LAPSED: {
    authorize: held,
    capture: { to: 'CAPTURED', by: provider, effects: paid },
    pay: { to: 'LAPSED', by: ['buyer'] },
  },
  /** Held on the card. */
  AUTHORIZED: {
    release: { to: 'RELEASED', by: ['shop'], effects: ['email: refunded'] },
    capture: { to: 'CAPTURED', by: asked, effects: ['confirm the order', 'settle'] },
    expire: { to: 'EXPIRED', by: provider, effects: ['email: unpaid'] },
  },
  /** Charged. */
  CAPTURED: { refund: { to: 'REFUNDED', by: asked, effects: ['email: refunded'] } },
  /** The shop ended the authorization: nothing was charged. */
  RELEASED: {},
  /** The authorization ended by itself: nothing was charged. The buyer may begin another. */
  EXPIRED: { pay: { to: 'EXPIRED', by: ['buyer'] } },
  /** All that was charged was refunded. */
  REFUNDED: {},
})

type PaymentLife = typeof paymentLife
export type PaymentState = StateOf<PaymentLife>
export const paymentStates = statesOf(paymentLife)

/** The move of a payment from one state to another; undefined: there is none. */
export const paymentMove = (from: PaymentState, to: PaymentState): EdgeOf<PaymentLife> | undefined =>
  moveTo(paymentLife, from, to)

/** The states of a payment that was authorized at some time. */
export const onceAuthorized = paymentStates.filter(
  (state) => edgeOf(paymentLife, state, 'authorize') === undefined,
)

/** The least that a card is charged, in cents. Source: Stripe's minimum for AUD. */
export const MIN_CARD_CENTS = cents(50)

/** Days for which an authorization is valid. Source: Stripe, 'Place a hold on a payment method', online payments. */
export const AUTHORIZATION_DAYS = 7

/** Hours before its end from which an authorization that is not captured is reported to managers. */
export const CAPTURE_WARNING_H = 24

/**
 * Can an order for a slot be paid by card now? Its authorization has to last until it is packed.
 * @param slotEndsAt, now milliseconds since 1970
 */
export const takesCard = (total: Cents, slotEndsAt: number, now: number): boolean =>
  total >= MIN_CARD_CENTS && slotEndsAt <= now + (AUTHORIZATION_DAYS * 24 - CAPTURE_WARNING_H) * HOUR_MS

/** The current state of a payment. Amounts in whole cents. */
export type PaymentSums = {
  state: PaymentState
  /** What is authorized, or to be. */
  amount: number
  captured: number
  refunded: number
  /** What the buyer paid in another way instead, as the shop said when it handed the order out. */
  otherwise?: number
}

/** What is charged when an order is packed: never more than was authorized. */
export const captureAmount = (total: number, authorized: number): Cents => cents(Math.min(total, authorized))

type Situation = {
  /** Its order was cancelled, or paid otherwise: what was paid otherwise must not be charged as well. */
  isGivenBack: boolean
  isOver: boolean
  isPacked: boolean
  total: number
}

/** When the shop asks for a move. `close`: the buyer can't pay any more. */
const askedWhen = {
  close: ({ isGivenBack, isOver }) => isGivenBack || isOver,
  release: ({ isGivenBack, isPacked, total }) => isGivenBack || (isPacked && total < MIN_CARD_CENTS),
  capture: ({ isPacked }) => isPacked,
  refund: ({ isGivenBack }) => isGivenBack,
} as const satisfies Partial<Record<ActionOf<PaymentLife>, (now: Situation) => boolean>>

/** What to request of the provider. */
export type PaymentStep = keyof typeof askedWhen

/** What follows from the states of a payment and its order, the first that applies; null: nothing. */
export function nextStep(
  { state, isOver }: { state: PaymentState; isOver: boolean },
  order: { status: OrderState; total: number; paidOtherwise?: boolean },
): PaymentStep | null {
  const isGivenBack = order.status === 'CANCELLED' || order.paidOtherwise === true
  const now = { isGivenBack, isOver, isPacked: order.status !== 'PLACED', total: order.total }
  const steps = Object.keys(askedWhen) as PaymentStep[]
  const isDue = (step: PaymentStep) =>
    edgeOf(paymentLife, state, step, 'shop') !== undefined && askedWhen[step](now)
  return steps.find(isDue) ?? null
}

/**
 * What the buyer still pays when getting the order. A capture that is to come counts as made; a payment that is only
 * open does while the order is not packed, since it is not packed before it is paid.
 */
export function dueOnReceipt(status: OrderState, total: number, payment: PaymentSums | null): Cents {
  if (status === 'CANCELLED') return cents(0)
  const covered = (payment?.otherwise ?? 0) + coveredByCard(status, total, payment)
  return cents(Math.max(0, total - covered))
}

function coveredByCard(status: OrderState, total: number, payment: PaymentSums | null): number {
  if (payment === null) return 0
  const { state, amount, captured, refunded } = payment
  if (state === 'CAPTURED') return Math.min(total, captured - refunded)
  const isExpected = state === 'AUTHORIZED' || (state === 'OPEN' && status === 'PLACED')
  return isExpected && total >= MIN_CARD_CENTS ? captureAmount(total, amount) : 0
}

/**
 * What is not paid of an order that was to be paid by card and of which nothing was captured; null: it is paid, or was
 * to be paid on receipt. The shop hands such an order out only when it says that it was paid otherwise.
 */
export function unpaidByCard(total: number, payment: PaymentSums | null): Cents | null {
  if (payment === null || payment.state === 'CAPTURED') return null
  const unpaid = total - (payment.otherwise ?? 0)
  return unpaid > 0 ? cents(unpaid) : null
}

/** May the buyer pay by card, again when the first authorization was lost? */
export function mayPayByCard(status: OrderState, payment: PaymentSums | null): boolean {
  if (payment === null || isOver(status) || (payment.otherwise ?? 0) > 0) return false
  return edgeOf(paymentLife, payment.state, 'pay', 'buyer') !== undefined
}

/** How an order is paid, as pages, emails and invoices say it. */
export function paymentText(status: OrderState, total: number, payment: PaymentSums | null): string {
  if (payment === null) return 'When you get it'
  const due = dueOnReceipt(status, total, payment)
  const { otherwise = 0 } = payment
  if (otherwise > 0) return `${formatDollars(cents(otherwise))} paid otherwise, not by card`
  const rest = due > 0 ? `; ${formatDollars(due)} when you get it` : ''
  return `${byCard(payment)}${rest}`
}

function byCard({ state, amount, captured, refunded }: PaymentSums): string {
  const dollars = (value: number): string => formatDollars(cents(value))
  switch (state) {
    case 'OPEN':
      return 'By card, not paid yet'
    case 'LAPSED':
      return 'By card, not paid in time'
    case 'AUTHORIZED':
      return `By card: up to ${dollars(amount)} is held, and the exact total is charged when it is packed`
    case 'CAPTURED':
      return refunded > 0
        ? `${dollars(captured)} paid by card, ${dollars(refunded)} of it refunded`
        : `${dollars(captured)} paid by card`
    case 'RELEASED':
      return 'By card: what was held is released, nothing was charged'
    case 'EXPIRED':
      return 'The card was not charged: its hold ended'
    case 'REFUNDED':
      return `${dollars(refunded)} refunded to the card`
  }
}
