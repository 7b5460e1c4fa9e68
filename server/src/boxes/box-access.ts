import { BoxID } from '@befaqt/domain/box-values'
import { ShopError } from '@befaqt/domain/errors'
import { registerBoxOf } from '@befaqt/provenance/signed/device-register'
import { like, not, type SQL } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { lock } from '#server/db/lock.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { assertBoxAccess, type Principal } from '#server/identity/principal.ts'
import type { BoxRow } from './read-records.ts'

/**
 * The boxID of an address; one that can't be one is a box that is not there. With a principal, whether its key may
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

/** Reads and locks the box until the transaction ends. @throws ShopError `box.not_found` */
export async function lockBox(tx: Tx, boxID: string): Promise<BoxRow> {
  const box = (await lock(tx).boxes([boxID]))[0].get(boxID)
  if (box === undefined) throw boxNotFound()
  return box
}

export const boxNotFound = (): ShopError => new ShopError('box.not_found', 'There is no such box.')

export const boxSealed = (): ShopError =>
  new ShopError('box.sealed', 'This box is sealed: nothing can be added to it.')

/** Is a box neither recalled nor off sale? Of others nothing is sold, and nothing said of how fresh they are. */
export const isOnSale = ({ recallId, offSaleAt }: Pick<BoxRow, 'recallId' | 'offSaleAt'>): boolean =>
  recallId === null && offSaleAt === null

/** @throws ShopError `box.recalled`, `box.off_sale` */
export function assertOnSale({ id, recallId, offSaleAt }: BoxRow): void {
  if (recallId !== null) throw boxRecalled(id)
  if (offSaleAt !== null)
    throw new ShopError('box.off_sale', `Box ${id} is off sale: nothing may be sold from it.`, {
      details: { boxID: id },
    })
}

export const boxRecalled = (boxID: string): ShopError =>
  new ShopError('box.recalled', `Box ${boxID} is recalled: nothing may be sold from it.`, {
    details: { boxID },
  })

// The register of devices keeps one box for each key: chained, anchored and proven like those with fish, and shown nowhere
// else. No boxID of a fish box has a colon.

const PREFIX = registerBoxOf('')

/** Can this be the id of a box of the register? */
export const isRegisterBox = (boxID: string): boolean =>
  boxID.startsWith(PREFIX) && /^[0-9a-f]{32}$/.test(boxID.slice(PREFIX.length))

/** Rows of boxes with fish. */
export const holdsFish: SQL = not(like(boxes.id, `${PREFIX}%`))
