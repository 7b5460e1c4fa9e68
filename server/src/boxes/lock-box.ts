import { ShopError } from '@befaqt/domain/errors'
import { eq, inArray } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { inByteOrder } from '#server/db/search-and-order.ts'
import type { BoxRow } from './records/read-records.ts'

/** Reads and locks the box until the transaction ends. @throws ShopError `box.not_found` */
export async function lockBox(tx: Tx, boxID: string): Promise<BoxRow> {
  const [box] = await tx.select().from(boxes).where(eq(boxes.id, boxID)).for('update')
  if (box === undefined) throw boxNotFound()
  return box
}

/**
 * Reads and locks those of the boxes that there are, in one order, until the transaction ends: whoever needs several
 * takes them here, before any other lock of one of them.
 * @param how 'no key update' lets others write rows that refer to a box meanwhile, and keeps all else out
 */
export async function lockBoxesInOrder(
  tx: Tx,
  ids: Iterable<string>,
  how: 'update' | 'no key update' = 'update',
): Promise<Map<string, BoxRow>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  const held = await tx
    .select()
    .from(boxes)
    .where(inArray(boxes.id, wanted))
    .orderBy(inByteOrder(boxes.id))
    .for(how)
  return new Map(held.map((box) => [box.id, box]))
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
