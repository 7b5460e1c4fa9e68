import { ShopError } from '@befaqt/domain/errors'
import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import type { BoxRow } from './records/read-records.ts'

/** Reads and locks the box until the transaction ends. @throws ShopError `box.not_found` */
export async function lockBox(tx: Tx, boxID: string): Promise<BoxRow> {
  const [box] = await tx.select().from(boxes).where(eq(boxes.id, boxID)).for('update')
  if (box === undefined) throw boxNotFound()
  return box
}

export const boxNotFound = (): ShopError => new ShopError('box.not_found', 'There is no such box.')

export const boxSealed = (): ShopError =>
  new ShopError('box.sealed', 'This box is sealed: nothing can be added to it.')

export const boxRecalled = (boxID: string): ShopError =>
  new ShopError('box.recalled', `Box ${boxID} is recalled: nothing may be sold from it.`, {
    details: { boxID },
  })
