import { z } from 'zod'
import { line } from './fields.ts'
import { MAX_LABEL } from './limits.ts'
import { DeliveryAddress } from './order.ts'

/** An address of an account, under its owner's name for it. `preferred`: the checkout begins with it. */
export const SavedAddressInput = z.strictObject({
  label: line('label', MAX_LABEL),
  ...DeliveryAddress.shape,
  preferred: z.boolean('preferred must be true or false').default(false),
})
export type SavedAddressInput = z.infer<typeof SavedAddressInput>
