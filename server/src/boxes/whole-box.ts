import type { Box } from '@befaqt/domain/box'
import { boxOfRecords } from '@befaqt/domain/box-of-records'
import type { Db } from '#server/db/client.ts'
import { anchorOfRecord, anchorsOfBox, type BoxAnchor } from './anchor-states.ts'
import { type BoxRow, type RecordRow, readableRecords, readBox } from './read-records.ts'

/** A box with all that pages and calls say of it. */
export type ReadBox = { box: Box; row: BoxRow; rows: RecordRow[]; covering: BoxAnchor[] }

/** Reads a box as its records say, each `txHash` being ours, null while pending. @throws ShopError `box.not_found` */
export async function readWholeBox(db: Db, boxID: string): Promise<ReadBox> {
  const { box: row, rows } = await readBox(db, boxID)
  const covering = await anchorsOfBox(db, boxID)
  const txHashOf = (seq: number): string | null => anchorOfRecord(covering, seq)?.anchor.txHash ?? null
  return { box: boxOfRecords(boxID, readableRecords(rows), txHashOf), row, rows, covering }
}
