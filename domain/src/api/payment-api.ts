import { z } from 'zod'
import { schemaNames } from '../fields.ts'
import { paymentStates } from '../payment.ts'

/** Payment by card. Amounts in whole cents. */
export const PaymentView = z
  .strictObject({
    state: z.enum(paymentStates),
    /** What is authorized, or to be: the most that can be charged. */
    amount: z.int(),
    captured: z.int(),
    refunded: z.int(),
    /** What the buyer paid in another way instead, as the shop said. */
    otherwise: z.int(),
    /** OPEN: it can be paid until then; AUTHORIZED: it is held until then. RFC 3339. */
    until: z.string().nullable(),
  })
  .register(schemaNames, { id: 'Payment' })
