/* The states of an order and the moves between them. Free of the schema library, so that pages may load it early. */

/** How an order reaches its buyer. */
export const fulfilmentKinds = ['pickup', 'delivery'] as const
export type FulfilmentKind = (typeof fulfilmentKinds)[number]

/** Who makes a move: the shop's staff and keys, or the buyer. What a buyer may do, the shop may, too. */
type Mover = 'buyer' | 'shop'

type Move = { by: Mover; only?: FulfilmentKind }

/**
 * Every move of an order. Weights may change only in PLACED; stock and slot go back with CANCELLED, which an order that
 * has left the shop can't become.
 */
export const orderMoves = {
  PLACED: { PACKED: { by: 'shop' }, CANCELLED: { by: 'buyer' } },
  PACKED: {
    READY: { by: 'shop', only: 'pickup' },
    SENT: { by: 'shop', only: 'delivery' },
    CANCELLED: { by: 'shop' },
  },
  READY: { COMPLETED: { by: 'shop' }, CANCELLED: { by: 'shop' } },
  SENT: { COMPLETED: { by: 'shop' } },
  COMPLETED: {},
  CANCELLED: {},
} as const satisfies Record<string, Record<string, Move>>

export type OrderState = keyof typeof orderMoves
export const orderStates = Object.keys(orderMoves) as [OrderState, ...OrderState[]]

/** May an order in this state still get another slot? What is on its way or ended keeps its own. */
export const mayChangeSlot = (state: OrderState): boolean =>
  state === 'PLACED' || state === 'PACKED' || state === 'READY'

/** The moves of an order of this kind that `mover` may make from `state`. */
export function movesFrom(state: OrderState, kind: FulfilmentKind, mover: Mover): OrderState[] {
  const moves: Record<string, Move> = orderMoves[state]
  return orderStates.filter((to) => {
    const move = moves[to]
    if (move === undefined) return false
    return (move.only === undefined || move.only === kind) && (mover === 'shop' || move.by === 'buyer')
  })
}
