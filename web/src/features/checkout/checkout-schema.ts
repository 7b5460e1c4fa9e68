import { paragraph } from '@befaqt/domain/fields'
import { MAX_REASON } from '@befaqt/domain/limits'
import { DeliveryAddress, OrderContact } from '@befaqt/domain/order'
import { paymentMethods } from '@befaqt/domain/payment'
import { z } from 'zod'

const asked = {
  ...OrderContact.shape,
  slot: z.string('choose a time').min(1, 'choose a time'),
  note: paragraph('note', MAX_REASON),
  payment: z.enum(paymentMethods).default('later'),
}

/** The checkout's fields as they are typed: a delivery asks for its address, too. Fetched when the form is used. */
export const CheckoutFields = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('pickup'), ...asked }),
  z.object({ kind: z.literal('delivery'), ...asked, ...DeliveryAddress.shape }),
])
export type CheckoutFields = z.infer<typeof CheckoutFields>
