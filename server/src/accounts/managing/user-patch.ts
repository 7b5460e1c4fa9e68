import { ManagedAccount } from '@befaqt/domain/account'
import { z } from 'zod'

/**
 * The fields of an account that a manager may change. The whole user may be sent, as the specification has it; email
 * and phone belong to their owner and are ignored. Source: spec §6, §7.
 */
export const UserPatch = z
  .object({
    fname: ManagedAccount.shape.fname.exactOptional(),
    lname: ManagedAccount.shape.lname.exactOptional(),
    role: ManagedAccount.shape.role.exactOptional(),
    status: ManagedAccount.shape.status.exactOptional(),
    version: z.number().int().exactOptional(),
  })
  .strip()
export type UserPatch = z.infer<typeof UserPatch>
