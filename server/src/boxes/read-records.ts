import { hash } from 'node:crypto'
import { BoxID } from '@befaqt/domain/box-values'
import { ShopError } from '@befaqt/domain/errors'
import { type BoxRecord, parseRecord, type WithheldRecord } from '@befaqt/provenance'
import {
  and,
  asc,
  eq,
  getTableColumns,
  gt,
  isNotNull,
  lte,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { isRegisterBox } from '#server/boxes/box-access.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { boxArchives } from '#server/db/schema/archives.ts'
import { boxes, records } from '#server/db/schema/boxes.ts'

export type BoxRow = typeof boxes.$inferSelect
/** What is read of a record's row: a history has hundreds, and every column costs. */
export type RecordRow = Pick<typeof records.$inferSelect, 'seq' | 'kind' | 'body' | 'recordHash'>

const { seq, kind, body, recordHash } = records

/** The transaction that wrote a row of `boxes`: another one as soon as anybody has changed it. */
export const rowVersion = sql<string>`${boxes}.xmin::text`

/** Records of one box whose rows were dropped, read from its file, in order. */
export type Archived = readonly RecordRow[]
const NONE: Archived = []

/** Rows of a box are in its file alone: `withArchive` reads them, and does again what threw this. */
export class RowsDropped extends ShopError {
  readonly boxID: string

  constructor(boxID: string) {
    super('unavailable', `The history of box ${boxID} is in its file, which is not read here.`)
    this.boxID = boxID
  }
}

/** @throws RowsDropped where rows of a box were, and what was in them is not given */
export async function refuseDropped(db: Db | Tx, boxID: string, archived: Archived): Promise<void> {
  if (archived.length > 0) return
  const isDropped = and(eq(boxArchives.boxId, boxID), isNotNull(boxArchives.droppedAt))
  if ((await db.$count(boxArchives, isDropped)) > 0) throw new RowsDropped(boxID)
}

/**
 * The records of a box after a place, in order.
 * @param last the place of the last one that there has to be
 */
async function recordsAfter(
  db: Db,
  boxID: string,
  { after, last, archived, limit }: { after: number; last: number; archived: Archived; limit?: number },
  isWanted?: SQL,
): Promise<RecordRow[]> {
  const query = db
    .select({ seq, kind, body, recordHash })
    .from(records)
    .where(and(eq(records.boxId, boxID), gt(seq, after), isWanted))
    .orderBy(asc(seq))
  const found = limit === undefined ? await query : await query.limit(limit)
  if (found.length >= Math.min(last - after, limit ?? Number.POSITIVE_INFINITY)) return found
  await refuseDropped(db, boxID, archived)
  const there = new Set(found.map((row) => row.seq))
  const more = archived.filter((row) => row.seq > after && row.seq <= last && !there.has(row.seq))
  return more.length === 0 ? found : [...found, ...more].sort((a, b) => a.seq - b.seq).slice(0, limit)
}

/**
 * A box and its history in order, after so many records; an invalid id is not queried.
 * @throws ShopError `box.not_found`; RowsDropped
 */
export async function readBox(
  db: Db,
  boxID: string,
  after = 0,
  archived = NONE,
): Promise<{ box: BoxRow & { version: string }; rows: RecordRow[] }> {
  const isId = BoxID.safeParse(boxID).success || isRegisterBox(boxID)
  const [box] = isId
    ? await db
        .select({ ...getTableColumns(boxes), version: rowVersion })
        .from(boxes)
        .where(eq(boxes.id, boxID))
    : []
  if (box === undefined) throw new ShopError('box.not_found', 'There is no such box.')
  return { box, rows: await recordsAfter(db, boxID, { after, last: box.count, archived }) }
}

/** Rows of a history that are read at a time, where others have to have their turn. */
export const RECORDS_PART = 1_000

/**
 * Boxes with their histories, by their ids, in two statements for all of them: those of at most `RECORDS_PART` records, of
 * which each has its row. Others are left out.
 */
export async function readSmallBoxes(
  db: Db,
  boxIDs: readonly string[],
): Promise<Map<string, Awaited<ReturnType<typeof readBox>>>> {
  const among = (id: SQLWrapper, ids: readonly string[]): SQL => sql`${id} = any(${sql.param(ids)}::text[])`
  const found = await db
    .select({ ...getTableColumns(boxes), version: rowVersion })
    .from(boxes)
    .where(and(among(boxes.id, boxIDs), lte(boxes.count, RECORDS_PART)))
  const all = await db
    .select({ boxId: records.boxId, seq, kind, body, recordHash })
    .from(records)
    .where(
      among(
        records.boxId,
        found.map(({ id }) => id),
      ),
    )
    .orderBy(asc(records.boxId), asc(seq))
  const rowsOf = Map.groupBy(all, ({ boxId }) => boxId)
  return new Map(
    found.flatMap((box) => {
      const rows = (rowsOf.get(box.id) ?? []).map(({ boxId: _, ...row }) => row)
      return rows.length < box.count ? [] : [[box.id, { box, rows }]]
    }),
  )
}

/** The records of a box after a place and up to another, at most `RECORDS_PART`, in order. @throws RowsDropped */
export const readRecordsBetween = (
  db: Db,
  boxID: string,
  after: number,
  last: number,
  archived = NONE,
): Promise<RecordRow[]> =>
  recordsAfter(db, boxID, { after, last, archived, limit: RECORDS_PART }, lte(seq, last))

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
