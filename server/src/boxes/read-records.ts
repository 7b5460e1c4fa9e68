import { hash } from 'node:crypto'
import { BoxID } from '@befaqt/domain/box-values'
import { ShopError } from '@befaqt/domain/errors'
import { type BoxRecord, parseRecord, type WithheldRecord } from '@befaqt/provenance'
import { and, asc, eq, getTableColumns, gt, lte, sql } from 'drizzle-orm'
import { isRegisterBox } from '#server/boxes/box-access.ts'
import type { Db } from '#server/db/client.ts'
import { boxes, records } from '#server/db/schema/boxes.ts'

export type BoxRow = typeof boxes.$inferSelect
/** What is read of a record's row: a history has hundreds, and every column costs. */
export type RecordRow = Pick<typeof records.$inferSelect, 'seq' | 'kind' | 'body' | 'recordHash'>

const { seq, kind, body, recordHash } = records

/** The transaction that wrote a row of `boxes`: another one as soon as anybody has changed it. */
export const rowVersion = sql<string>`${boxes}.xmin::text`

/**
 * A box and its history in order, after so many records; an invalid id is not queried.
 * @throws ShopError `box.not_found`
 */
export async function readBox(
  db: Db,
  boxID: string,
  after = 0,
): Promise<{ box: BoxRow & { version: string }; rows: RecordRow[] }> {
  const isId = BoxID.safeParse(boxID).success || isRegisterBox(boxID)
  const [box] = isId
    ? await db
        .select({ ...getTableColumns(boxes), version: rowVersion })
        .from(boxes)
        .where(eq(boxes.id, boxID))
    : []
  if (box === undefined) throw new ShopError('box.not_found', 'There is no such box.')
  const rows = await db
    .select({ seq, kind, body, recordHash })
    .from(records)
    .where(and(eq(records.boxId, boxID), gt(seq, after)))
    .orderBy(asc(seq))
  return { box, rows }
}

/** Rows of a history that are read at a time, where others have to have their turn. */
export const RECORDS_PART = 1_000

/** The records of a box after a place and up to another, at most `RECORDS_PART`, in order. */
export const readRecordsBetween = (
  db: Db,
  boxID: string,
  after: number,
  last: number,
): Promise<RecordRow[]> =>
  db
    .select({ seq, kind, body, recordHash })
    .from(records)
    .where(and(eq(records.boxId, boxID), gt(seq, after), lte(seq, last)))
    .orderBy(asc(seq))
    .limit(RECORDS_PART)

/**
 * What a stored row says, as JSON text for a bundle. A row that was tampered with is passed on unchanged: finding
 * that out is the verifier's work, not ours to hide.
 */
export function shownRecord({ seq, recordHash, body }: RecordRow): string {
  if (body === null) return JSON.stringify({ seq, recordHash, withheld: true } satisfies WithheldRecord)
  return isJson(body) ? body : JSON.stringify(body)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * What a row can be read as; undefined for a withheld record and for one that is none any more. A body that still
 * has its hash was looked at in full when it was written.
 */
export function readableRecord({ body, recordHash }: RecordRow): BoxRecord | undefined {
  if (body === null) return undefined
  try {
    const record: unknown = JSON.parse(body)
    return isShaped(record) && hash('sha256', body) === recordHash ? record : parseRecord(record)
  } catch {
    return undefined
  }
}

/** Has this what pages read of a record? Who writes to the database can give anything its right hash. */
function isShaped(value: unknown): value is BoxRecord {
  if (typeof value !== 'object' || value === null) return false
  const { seq, kind, at, by, data } = value as Partial<Record<keyof BoxRecord, unknown>>
  const texts = typeof kind === 'string' && typeof at === 'string' && typeof by === 'string'
  return texts && typeof seq === 'number' && typeof data === 'object' && data !== null
}
