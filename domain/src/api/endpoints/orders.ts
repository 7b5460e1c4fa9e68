import type { z } from 'zod'
import type {
  AcceptedTotal,
  AmendOrder,
  ConfirmOrder,
  HoldInput,
  OrderMove,
  PlaceOrder,
} from '../../order.ts'
import type { FulfilmentKind } from '../../order-states.ts'
import type { OrderBox, Paged } from '../box-api.ts'
import { endpoint, types } from '../endpoint.ts'
import type { HoldView, NextSlot, OrderRow, OrderView, SlotView } from '../order-api.ts'
import type { OrderAnswer, PlacedAnswer, WaitingOrder } from '../waiting-order-api.ts'

/** An order is placed once for each key. */
type Place = {
  headers: { 'idempotency-key': string }
  body: z.input<typeof PlaceOrder>
  response: PlacedAnswer
}
type ReadOrder = { query: { key?: string }; response: OrderAnswer }
type Confirm = { query: { key?: string }; body: z.input<typeof ConfirmOrder>; response: OrderView }
type MoveByBuyer = {
  query: { key?: string }
  body: Pick<z.input<typeof OrderMove>, 'reason'>
  response: OrderAnswer
}
type Accept = { query: { key?: string }; body: z.input<typeof AcceptedTotal>; response: OrderView }
/** An order is changed once for each key. */
type Amend = {
  headers: { 'idempotency-key': string }
  query: { key?: string }
  body: z.input<typeof AmendOrder>
  response: OrderView
}
type ReadBoxes = { query: { key?: string }; response: OrderBox[] }
type ListSlots = { query: { kind?: FulfilmentKind; postcode?: string }; response: SlotView[] }
type OwnOrders = { query: { page?: number; size?: number }; response: Paged<OrderRow> }

export const placeOrder = endpoint('POST', '/api/order', types<Place>)
export const holdStock = endpoint(
  'POST',
  '/api/order/hold',
  types<{ body: z.input<typeof HoldInput>; response: HoldView }>,
)
export const releaseHold = endpoint('DELETE', '/api/order/hold/:id')
export const listOwnOrders = endpoint('GET', '/api/order', types<OwnOrders>)
export const listOwnWaiting = endpoint('GET', '/api/order/waiting/own', types<{ response: WaitingOrder[] }>)
export const readOrder = endpoint('GET', '/api/order/:id', types<ReadOrder>)
export const readOrderBoxes = endpoint('GET', '/api/order/:id/boxes', types<ReadBoxes>)
export const cancelOrder = endpoint('POST', '/api/order/:id/cancellation', types<MoveByBuyer>)
export const confirmOrder = endpoint('POST', '/api/order/:id/confirmation', types<Confirm>)
export const sendConfirmation = endpoint(
  'POST',
  '/api/order/:id/confirmation/email',
  types<{ query: { key?: string } }>,
)
export const acceptTotal = endpoint('POST', '/api/order/:id/acceptance', types<Accept>)
export const amendOrder = endpoint('POST', '/api/order/:id/amendment', types<Amend>)
export const listSlots = endpoint('GET', '/api/slot', types<ListSlots>)
export const listNextSlots = endpoint('GET', '/api/slot/next', types<{ response: NextSlot[] }>)
