import { Role, Status } from '@befaqt/domain/status'
import { line } from '@befaqt/domain/text'
import { z } from 'zod'

/**
 * What a manager may change of an account. The whole user may be sent, as the specification has it; e-mail and
 * phone are their owner's and are left as they are. Source: spec §6, §7.
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
