import type { z } from 'zod'
import type { AcceptedTotal, HoldInput, OrderMove, PlaceOrder } from '../../order.ts'
import type { FulfilmentKind } from '../../order-states.ts'
import type { Paged } from '../box-api.ts'
import { endpoint, types } from '../endpoint.ts'
import type { HoldView, OrderBox, OrderRow, OrderView, PlacedOrder, SlotView } from '../order-api.ts'

/** An order is placed once for each key. */
type Place = {
  headers: { 'idempotency-key': string }
  body: z.input<typeof PlaceOrder>
  response: PlacedOrder
}
type ReadOrder = { query: { key?: string }; response: OrderView }
type MoveByBuyer = {
  query: { key?: string }
  body: Pick<z.input<typeof OrderMove>, 'reason'>
  response: OrderView
}
type Accept = { query: { key?: string }; body: z.input<typeof AcceptedTotal>; response: OrderView }
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
export const readOrder = endpoint('GET', '/api/order/:id', types<ReadOrder>)
export const readOrderBoxes = endpoint('GET', '/api/order/:id/boxes', types<ReadBoxes>)
export const cancelOrder = endpoint('POST', '/api/order/:id/cancellation', types<MoveByBuyer>)
export const acceptTotal = endpoint('POST', '/api/order/:id/acceptance', types<Accept>)
export const listSlots = endpoint('GET', '/api/slot', types<ListSlots>)
