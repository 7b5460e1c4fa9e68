import { BoxID } from '@befaqt/domain/box-values'
import { ShopError } from '@befaqt/domain/errors'
import { type BoxRecord, parseRecord, type WithheldRecord } from '@befaqt/provenance'
import { asc, eq } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { boxes, records } from '#server/db/schema/boxes.ts'

export type BoxRow = typeof boxes.$inferSelect
export type RecordRow = typeof records.$inferSelect

/** A box and its whole history in order; an id that can't be one is not asked for. @throws ShopError `box.not_found` */
export async function readBox(db: Db, boxID: string): Promise<{ box: BoxRow; rows: RecordRow[] }> {
  const isId = BoxID.safeParse(boxID).success
  const [box] = isId ? await db.select().from(boxes).where(eq(boxes.id, boxID)) : []
  if (box === undefined) throw new ShopError('box.not_found', 'There is no such box.')
  const rows = await db.select().from(records).where(eq(records.boxId, boxID)).orderBy(asc(records.seq))
  return { box, rows }
}

/**
 * What a stored row says, as it goes into a bundle. A row that was tampered with until it is no record at all is
 * handed on as it stands: finding that out is the verifier's work, not ours to hide.
 */
export const shownRecord = (row: RecordRow): BoxRecord | WithheldRecord =>
  row.body === null
    ? { seq: row.seq, recordHash: row.recordHash, withheld: true }
    : (JSON.parse(row.body) as BoxRecord)

/** The rows that can be read as records; a damaged one is left out of what pages show. */
export function readableRecords(rows: readonly RecordRow[]): BoxRecord[] {
  return rows.flatMap((row) => {
    if (row.body === null) return []
    try {
      return [parseRecord(JSON.parse(row.body))]
    } catch {
      return []
    }
  })
}
