import { BoxID } from '@befaqt/domain/box-values'
import { assertBoxAccess, type Principal } from '#server/identity/principal.ts'
import { boxNotFound } from './lock-box.ts'
import { isRegisterBox } from './register-boxes.ts'

/**
 * The boxID of an address; one that can't be one is a box that is not there. With an principal, whether their key may
 * touch it is checked too.
 * @throws ShopError `box.not_found`, `auth.forbidden`
 */
export function boxIDOf(params: { boxID: string }, principal?: Principal): string {
  const parsed = BoxID.safeParse(params.boxID)
  if (!parsed.success) throw boxNotFound()
  if (principal !== undefined) assertBoxAccess(principal, parsed.data)
  return parsed.data
}

/** The box of a proof: also a box of the register of devices, which has no page. @throws ShopError `box.not_found` */
export const provenBoxIDOf = (params: { boxID: string }): string =>
  isRegisterBox(params.boxID) ? params.boxID : boxIDOf(params)
