import { Role, Status } from '@befaqt/domain/status'
import { line } from '@befaqt/domain/text'
import { z } from 'zod'

/**
 * The fields of an account that a manager may change. The whole user may be sent, as the specification has it; email
 * and phone belong to their owner and are ignored. Source: spec §6, §7.
 */
export const UserPatch = z
  .object({
    fname: line('first name', 100).exactOptional(),
    lname: line('last name', 100).exactOptional(),
    role: Role.exactOptional(),
    status: Status.exactOptional(),
    version: z.number().int().exactOptional(),
  })
  .strip()
export type UserPatch = z.infer<typeof UserPatch>
