import { z } from 'zod'
import { schemaNames } from '../fields.ts'
import { DeliveryAddress, OrderContact } from '../order.ts'
import { fulfilmentKinds } from '../order-states.ts'
import { paymentMethods } from '../payment.ts'
import { waitingStates } from '../statuses.ts'
import { UsedCouponView } from './coupon-api.ts'
import { OrderLineView, OrderTotals, OrderView, PlacedOrder, SlotView } from './order-api.ts'
import { PaymentView } from './payment-api.ts'

const waiting = {
  _id: z.string(),
  status: z.enum(waitingStates),
  kind: z.enum(fulfilmentKinds),
  /** At the prices of the moment of ordering, which it keeps. */
  lines: z.array(OrderLineView),
  totals: OrderTotals,
  coupon: UsedCouponView.optional(),
  slot: SlotView.omit({ left: true }),
  /** By card: it waits for the payment, else for the click. */
  payment: z.enum(paymentMethods),
  /** RFC 3339. Until then it can be confirmed. */
  until: z.string().nullable(),
  createdAt: z.string().nullable(),
}

/** A large first order as it is answered to whoever placed it: nothing is taken for it yet. It has no number. */
export const PlacedWaiting = z
  .strictObject({ ...waiting, link: z.string() })
  .register(schemaNames, { id: 'PlacedWaitingOrder' })
export type PlacedWaiting = z.infer<typeof PlacedWaiting>

/** A large first order until it is confirmed. Under its id the order is found then. */
export const WaitingOrder = z
  .strictObject({
    ...waiting,
    /** Why it was dropped. */
    reason: z.string(),
    /** The last one by card; null: there is none. */
    card: PaymentView.nullable(),
    contact: OrderContact.nullable(),
    address: DeliveryAddress.nullable(),
    note: z.string(),
  })
  .register(schemaNames, { id: 'WaitingOrder' })
export type WaitingOrder = z.infer<typeof WaitingOrder>

/** The answer to an order that is placed, or that waits. */
export const PlacedAnswer = z.union([PlacedOrder, PlacedWaiting])
export type PlacedAnswer = z.infer<typeof PlacedAnswer>

/** What is under the id of an order. */
export const OrderAnswer = z.union([OrderView, WaitingOrder])
export type OrderAnswer = z.infer<typeof OrderAnswer>
