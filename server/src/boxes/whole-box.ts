import type { BoxMetrics } from '@befaqt/domain/api/box-api'
import type { Box } from '@befaqt/domain/box'
import { boxOfRecords } from '@befaqt/domain/box-records'
import type { BoxRecord } from '@befaqt/provenance'
import type { Db } from '#server/db/client.ts'
import { stateOf } from './projection/load-state.ts'
import { projectionOf, saveProjection, storedProjection } from './projection/projection.ts'
import { anchorOfRecord, anchorsOfBox, type BoxAnchor } from './proof/anchor-states.ts'
import { type BoxRow, type RecordRow, readableRecord, readBox } from './records/read-records.ts'
import type { Market } from './summary/box-summary.ts'

/** A row of a history with what it can be read as; a damaged record is left out of what pages show. */
export type ReadRow = RecordRow & { record: BoxRecord | undefined }

/** A box with all that pages and calls say of it. */
export type ReadBox = {
  box: Box
  figures: BoxMetrics
  row: BoxRow
  rows: ReadRow[]
  covering: BoxAnchor[]
}

/**
 * Reads a box as its records say, each `txHash` being ours, null while pending, with the figures of its projection.
 * @throws ShopError `box.not_found`
 */
export async function readWholeBox(db: Db, boxID: string, market: Market): Promise<ReadBox> {
  const { box: row, rows: kept } = await readBox(db, boxID)
  const covering = await anchorsOfBox(db, boxID)
  const rows = kept.map((row) => ({ ...row, record: readableRecord(row) }))
  const readable = rows.flatMap(({ record }) => record ?? [])
  const isWhole = rows.length === row.count // else records came since the row was read, or it is damaged
  const stored = isWhole ? storedProjection(row, market) : undefined
  const projection = stored ?? projectionOf(row, await stateOf(readable, market))
  if (stored === undefined && isWhole) await saveProjection(db, row, projection)
  const { figures, sensor } = projection
  const txHashOf = (seq: number): string | null => anchorOfRecord(covering, seq)?.anchor.txHash ?? null
  const box = boxOfRecords(boxID, readable, market.timeZone, txHashOf, () => sensor)
  return { box, figures, row, rows, covering }
}
