import { ShopError } from '@befaqt/domain/errors'
import type { Tx } from '#server/db/client.ts'
import { lock } from '#server/db/lock.ts'
import type { BoxRow } from './records/read-records.ts'

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
