import type { Box } from '@befaqt/domain/box'
import { boxOfRecords } from '@befaqt/domain/box-of-records'
import type { BoxRecord } from '@befaqt/provenance'
import type { Db } from '#server/db/client.ts'
import { anchorOfRecord, anchorsOfBox, type BoxAnchor } from './proof/anchor-states.ts'
import { type BoxRow, type RecordRow, readableRecord, readBox } from './records/read-records.ts'

/** A row of a history with what it can be read as; a damaged record is left out of what pages show. */
export type ReadRow = RecordRow & { record: BoxRecord | undefined }

/** A box with all that pages and calls say of it. */
export type ReadBox = { box: Box; row: BoxRow; rows: ReadRow[]; covering: BoxAnchor[] }

/**
 * Reads a box as its records say, each `txHash` being ours, null while pending.
 * @param timeZone the market's
 * @throws ShopError `box.not_found`
 */
export async function readWholeBox(db: Db, boxID: string, timeZone: string): Promise<ReadBox> {
  const { box: row, rows: kept } = await readBox(db, boxID)
  const covering = await anchorsOfBox(db, boxID)
  const rows = kept.map((row) => ({ ...row, record: readableRecord(row) }))
  const readable = rows.flatMap(({ record }) => record ?? [])
  const txHashOf = (seq: number): string | null => anchorOfRecord(covering, seq)?.anchor.txHash ?? null
  return { box: boxOfRecords(boxID, readable, timeZone, txHashOf), row, rows, covering }
}
