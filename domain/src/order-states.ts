/* The life of an order. Free of the schema library, so that pages may load it early. */
import {
  type ActionOf,
  type EdgeOf,
  edgeOf,
  edgesFrom,
  life,
  moveTo,
  type StateOf,
  statesOf,
} from './life.ts'

/** How an order reaches its buyer. */
export const fulfilmentKinds = ['pickup', 'delivery'] as const
export type FulfilmentKind = (typeof fulfilmentKinds)[number]

const either = ['buyer', 'shop'] as const
const shop = ['shop'] as const

/** Nothing is said of a payment but where an order is handed out. */
const UNSAID = 'nothing said of payment'
const cancelled = {
  to: 'CANCELLED',
  needs: [UNSAID],
  effects: ['give back', 'email: cancelled', 'settle the card'],
} as const
const handedOut = ['settle the card that was not used'] as const
const otherTime = { by: shop, effects: ['email: moved'] } as const
const replaced = { by: shop, effects: ['email: replaced'] } as const

/**
 * Every move of an order, and what may be done in a state. Weights may change only in PLACED; stock and slot go back
 * with CANCELLED, which an order that has left the shop can't become. What a buyer may do, the shop may, too.
 */
export const orderLife = life({
  new: {
    'place, paid later': { to: 'PLACED', by: either, effects: ['email: placed'] },
    'place, paid by card': { to: 'PLACED', by: either, effects: ['open a payment'] },
  },
  PLACED: {
    pack: {
      to: 'PACKED',
      by: shop,
      needs: ['no card page open', 'weighed', 'total accepted', UNSAID, 'fish on sale', 'boxes named'],
      effects: ['sell out of boxes', 'number the invoice', 'email: changed', 'settle the card'],
    },
    cancel: { by: either, ...cancelled },
    weigh: { to: 'PLACED', by: shop, effects: ['email: changed'] },
    'leave out': { to: 'PLACED', by: shop, effects: ['email: left-out'] },
    'accept the total': { to: 'PLACED', by: either },
    'change the time': { to: 'PLACED', ...otherTime },
    amend: {
      to: 'PLACED',
      by: either,
      needs: ['packing not begun', 'before the cut-off', 'card not being paid', 'total covered by the card'],
      effects: ['email: amended'],
    },
  },
  PACKED: {
    'make ready': {
      to: 'READY',
      by: shop,
      only: 'pickup',
      needs: [UNSAID, 'fish on sale'],
      effects: ['email: ready'],
    },
    send: {
      to: 'SENT',
      by: shop,
      only: 'delivery',
      needs: ['paid', 'fish on sale'],
      effects: ['email: sent', ...handedOut],
    },
    cancel: { by: shop, ...cancelled },
    'replace boxes': { to: 'PACKED', ...replaced },
    'change the time': { to: 'PACKED', ...otherTime },
  },
  READY: {
    'hand out': { to: 'COMPLETED', by: shop, needs: ['paid', 'fish on sale'], effects: handedOut },
    cancel: { by: shop, ...cancelled },
    'replace boxes': { to: 'READY', ...replaced },
    'change the time': { to: 'READY', ...otherTime },
  },
  // What is on its way has left, and was asked about when it was sent.
  SENT: { 'say that it arrived': { to: 'COMPLETED', by: shop } },
  COMPLETED: {},
  CANCELLED: {},
})

type OrderLife = typeof orderLife
export type OrderState = StateOf<OrderLife>
export const orderStates = statesOf(orderLife)
export type OrderEdge = EdgeOf<OrderLife>

/** What may be done in a state without leaving it, and how it is said that it may not. */
export const orderRefusals = {
  weigh: 'its weights can’t change',
  'leave out': 'nothing can be left out of it',
  'accept the total': 'its total is settled',
  'change the time': 'its time can’t change',
  amend: 'it can’t be changed any more',
} as const satisfies Partial<Record<ActionOf<OrderLife>, string>>
export type OrderAct = keyof typeof orderRefusals | 'replace boxes'

/** Whether the buyer of an order can change it, or why not: its state, packing, the cut-off of its slot, or its card. */
export const amendability = ['open', 'state', 'packing', 'late', 'card'] as const
export type Amendability = (typeof amendability)[number]

/** May this be done with an order in this state? */
export const mayDo = (state: OrderState, act: OrderAct): boolean =>
  edgeOf(orderLife, state, act) !== undefined

/** The move of an order from one state to another; undefined: there is none. */
export const orderMove = (from: OrderState, to: OrderState): OrderEdge | undefined =>
  moveTo(orderLife, from, to)

/** The moves of an order of this kind that `mover` may make from `state`. */
export const movesFrom = (state: OrderState, kind: FulfilmentKind, mover: 'buyer' | 'shop'): OrderState[] =>
  orderStates.filter((to) => {
    const move = orderMove(state, to)
    return move !== undefined && (move.only ?? kind) === kind && move.by.includes(mover)
  })

/** Does nothing follow this state? */
export const isOver = (state: OrderState): boolean => edgesFrom(orderLife, state).length === 0

/** The states that still come when all goes well. */
export function wayAfter(state: OrderState, kind: FulfilmentKind): OrderState[] {
  const next = movesFrom(state, kind, 'shop').find((to) => to !== 'CANCELLED')
  return next === undefined ? [] : [next, ...wayAfter(next, kind)]
}
