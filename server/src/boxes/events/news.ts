import { and, asc, eq, gt, lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import { anchorColumns, factsOf } from '#server/anchoring/index.ts'
import { type HistoryDeps, withArchive } from '#server/boxes/archive/read-archive.ts'
import { type Archived, RECORDS_PART, readRecordsBetween, shownRecord } from '#server/boxes/read-records.ts'
import { type Db, rows } from '#server/db/client.ts'
import { anchorLeaves, anchors } from '#server/db/schema/ledger.ts'

/** Events as they are sent, and the position after all of them. */
type News = { text: string; after: Position }

/** The positions of boxes: the number of records, and the newest confirmed anchor in which each has grown. */
export async function readPositions(db: Db, boxIDs: readonly string[]): Promise<Map<string, Position>> {
  const found = await rows<{ id: string; seq: number; anchor: number }>(
    db,
    sql`select b.id, b.count as seq, coalesce((
          select max(l.anchor_index) from anchor_leaves l
          join anchors a on a.index = l.anchor_index and a.state = 'confirmed'
          where l.box_id = b.id), -1) as anchor
        from boxes b where b.id in (select json_array_elements_text(${JSON.stringify(boxIDs)}::json))`,
  )
  return new Map(found.map(({ id, seq, anchor }) => [id, { seq, anchor }]))
}

/**
 * What is new of a box between two positions: its records as proofs hold them, then its anchors, each event with the
 * position after it as its id. At most `RECORDS_PART` of each: `after` says how far it goes.
 */
export const readNews = (deps: HistoryDeps, boxID: string, from: Position, to: Position): Promise<News> =>
  withArchive(deps, (archived) => newsBetween(deps.db, boxID, from, to, archived))

async function newsBetween(
  db: Db,
  boxID: string,
  from: Position,
  to: Position,
  archived?: Archived,
): Promise<News> {
  const parts: string[] = []
  const after = { ...from }
  const records = to.seq > from.seq ? await readRecordsBetween(db, boxID, from.seq, to.seq, archived) : []
  for (const row of records) {
    after.seq = row.seq
    parts.push(eventText('record', after, shownRecord(row)))
  }
  const grown = to.anchor > from.anchor ? await anchorsBetween(db, boxID, from.anchor, to.anchor) : []
  for (const { anchor, leaf } of grown) {
    after.anchor = anchor.index
    parts.push(eventText('anchor', after, JSON.stringify({ ...factsOf(anchor), leaf })))
  }
  return { text: parts.join(''), after }
}

const { boxId: box, count, head, sealed } = anchorLeaves

const anchorsBetween = (db: Db, boxID: string, after: number, last: number) =>
  db
    .select({ anchor: anchorColumns, leaf: { box, count, head, sealed } })
    .from(anchorLeaves)
    .innerJoin(anchors, eq(anchors.index, anchorLeaves.anchorIndex))
    .where(
      and(
        eq(box, boxID),
        eq(anchors.state, 'confirmed'),
        gt(anchorLeaves.anchorIndex, after),
        lte(anchorLeaves.anchorIndex, last),
      ),
    )
    .orderBy(asc(anchorLeaves.anchorIndex))
    .limit(RECORDS_PART)

/** One event. A row that was tampered with may hold line breaks. Source: HTML Standard §9.2.5. */
const eventText = (name: string, after: Position, data: string): string =>
  `event: ${name}\nid: ${positionText(after)}\n${data
    .split(/\r\n|\r|\n/)
    .map((line) => `data: ${line}\n`)
    .join('')}\n`

/** How much of a box a follower has received: its first `seq` records, and its anchors up to an index, -1 being none. */
export type Position = { seq: number; anchor: number }

/** What is a position as text. */
const POSITION = /^(\d{1,9})-(\d{1,9}|none)$/

/** A position as the id of an event: `12-4`, or `12-none` before the first anchor. */
export const positionText = ({ seq, anchor }: Position): string => `${seq}-${anchor < 0 ? 'none' : anchor}`

/** What `positionText` wrote; undefined for anything else. */
export function readPosition(text: string): Position | undefined {
  const [, seq, anchor] = POSITION.exec(text) ?? []
  if (seq === undefined || anchor === undefined) return undefined
  return { seq: Number(seq), anchor: anchor === 'none' ? -1 : Number(anchor) }
}

/** A position in a query. */
export const PositionText = z.string().regex(POSITION, 'must be the id of an event')
