import { endpoint, types } from '../endpoint.ts'
import type { OrderView } from '../order-api.ts'
import type { OrderAnswer } from '../waiting-order-api.ts'

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
