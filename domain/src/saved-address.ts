import { z } from 'zod'
import { line } from './fields.ts'
import { DeliveryAddress } from './order.ts'

/** Addresses that an account keeps at most. */
export const MAX_ADDRESSES = 10

/** An address of an account, under its owner's name for it. `preferred`: the checkout begins with it. */
export const SavedAddressInput = z.strictObject({
  label: line('label', 40),
  ...DeliveryAddress.shape,
  preferred: z.boolean('preferred must be true or false').default(false),
})
export type SavedAddressInput = z.infer<typeof SavedAddressInput>
