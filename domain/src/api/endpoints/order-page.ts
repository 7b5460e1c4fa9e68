import type { z } from 'zod'
import type {
  AcceptedTotal,
  AmendOrder,
  ConfirmOrder,
  HoldInput,
  OrderMove,
  PlaceOrder,
} from '../../order.ts'
import type { HoldView } from '../checkout-api.ts'
import type { ComplaintMove, ComplaintView } from '../complaint-api.ts'
import { endpoint, type FormBody, types } from '../endpoint.ts'
import type { OrderView } from '../order-api.ts'
import type { OrderAnswer, PlacedAnswer } from '../waiting-order-api.ts'

/* What the checkout and the page of an order ask when they are used: orders and what becomes of them, payments, complaints,
 * documents. */

/** An order is placed once for each key. */
type Place = {
  headers: { 'idempotency-key': string }
  body: z.input<typeof PlaceOrder>
  response: PlacedAnswer
}
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

type ByLink = { query: { key?: string } }

export const placeOrder = endpoint('POST', '/api/order', types<Place>)
export const holdStock = endpoint(
  'POST',
  '/api/order/hold',
  types<{ body: z.input<typeof HoldInput>; response: HoldView }>,
)
export const releaseHold = endpoint('DELETE', '/api/order/hold/:id')
export const cancelOrder = endpoint('POST', '/api/order/:id/cancellation', types<MoveByBuyer>)
export const confirmOrder = endpoint('POST', '/api/order/:id/confirmation', types<Confirm>)
export const sendConfirmation = endpoint(
  'POST',
  '/api/order/:id/confirmation/email',
  types<{ query: { key?: string } }>,
)
export const acceptTotal = endpoint('POST', '/api/order/:id/acceptance', types<Accept>)
export const amendOrder = endpoint('POST', '/api/order/:id/amendment', types<Amend>)

export const startPayment = endpoint(
  'POST',
  '/api/order/:id/payment',
  types<ByLink & { response: { url: string } }>,
)
export const checkPayment = endpoint(
  'POST',
  '/api/order/:id/payment/check',
  types<ByLink & { response: OrderAnswer }>,
)
export const settlePayment = endpoint(
  'POST',
  '/api/order/:id/payment/settlement',
  types<{ response: OrderView }>,
)
export const receivePaymentEvent = endpoint('POST', '/api/payment/event')

export const readInvoice = endpoint('GET', '/api/order/:id/invoice.pdf', types<ByLink>)
export const readOriginProof = endpoint('GET', '/api/order/:id/origin.pdf', types<ByLink>)
export const exportOriginProof = endpoint('GET', '/api/order/:id/origin.csv', types<ByLink>)
export const readCalendar = endpoint('GET', '/api/order/:id/time.ics', types<ByLink>)

type Complain = ByLink & { body: FormBody; response: ComplaintView }
type MoveComplaint = ByLink & { body: z.input<typeof ComplaintMove>; response: ComplaintView }

export const complain = endpoint('POST', '/api/order/:id/complaint', types<Complain>)
export const moveComplaint = endpoint('POST', '/api/order/:id/complaint/:complaint', types<MoveComplaint>)
export const readComplaintPhoto = endpoint('GET', '/api/order/:id/complaint/photo/:photo', types<ByLink>)
