/* What the checkout reads and keeps before there is an order. */
import { z } from 'zod'
import { DeliveryTermsView } from '../delivery-input.ts'
import { schemaNames } from '../fields.ts'
import { SlotView } from './order-api.ts'

/** Whether a postcode is delivered to: `next`: the next time that still takes orders, null: none does just now. */
export const Delivery = z
  .strictObject({
    next: SlotView.nullable(),
    /** Null: it is free of charge, for orders of any size. */
    area: DeliveryTermsView.nullable(),
  })
  .register(schemaNames, { id: 'Delivery' })
export type Delivery = z.infer<typeof Delivery>

/** What a checkout keeps until `expiresAt`, RFC 3339. */
export const HoldView = z
  .strictObject({ _id: z.string(), expiresAt: z.string().nullable() })
  .register(schemaNames, { id: 'Hold' })
export type HoldView = z.infer<typeof HoldView>
