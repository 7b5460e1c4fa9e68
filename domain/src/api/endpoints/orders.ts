import type { FulfilmentKind } from '../../order-states.ts'
import type { ListPlace, OrderBox, Paged } from '../box-api.ts'
import type { Delivery } from '../checkout-api.ts'
import type { OrderComplaints } from '../complaint-api.ts'
import { endpoint, types } from '../endpoint.ts'
import type { NextSlot, OrderRow, SlotView } from '../order-api.ts'
import type { OrderAnswer, WaitingOrder } from '../waiting-order-api.ts'

/* What pages of orders and slots read; what they do is in `order-page.ts`, which comes when it is used. */

type ReadOrder = { query: { key?: string }; response: OrderAnswer }
type ReadBoxes = { query: { key?: string }; response: OrderBox[] }
type ListSlots = { query: { kind?: FulfilmentKind; postcode?: string }; response: SlotView[] }
type OwnOrders = { query: ListPlace; response: Paged<OrderRow> }

export const listOwnOrders = endpoint('GET', '/api/order', types<OwnOrders>)
export const listOwnWaiting = endpoint('GET', '/api/order/waiting/own', types<{ response: WaitingOrder[] }>)
export const readOrder = endpoint('GET', '/api/order/:id', types<ReadOrder>)
export const readOrderBoxes = endpoint('GET', '/api/order/:id/boxes', types<ReadBoxes>)
export const readComplaints = endpoint(
  'GET',
  '/api/order/:id/complaint',
  types<{ query: { key?: string }; response: OrderComplaints }>,
)
export const listSlots = endpoint('GET', '/api/slot', types<ListSlots>)
export const readDelivery = endpoint('GET', '/api/delivery/:postcode', types<{ response: Delivery }>)
export const listNextSlots = endpoint('GET', '/api/slot/next', types<{ response: NextSlot[] }>)
