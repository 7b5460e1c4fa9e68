import { endpoint, types } from '../endpoint.ts'
import type { OrderView } from '../order-api.ts'
import type { OrderAnswer } from '../waiting-order-api.ts'

/* What the page of an order asks when it is used: payments, and its documents. */

type ByLink = { query: { key?: string } }

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
