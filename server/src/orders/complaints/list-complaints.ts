import type { BoxComplaint, ComplaintFilter, ComplaintPage } from '@befaqt/domain/api/complaint-api'
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { actorNames } from '#server/audit/history.ts'
import { type Db, rows } from '#server/db/client.ts'
import { fieldError } from '#server/http/field-error.ts'
import { byNumber } from '../managing/found-orders.ts'

/** Complaints of a page, and of those of one box that are shown. */
const PAGE = 50

/** Characters of what the buyer wrote. */
const SHOWN_WORDS = 240

/** The last row of a page, from which the next one goes on. */
const Cursor = z.tuple([z.boolean(), z.iso.datetime(), z.uuid()])

const textOf = (cursor: z.input<typeof Cursor>): string =>
  Buffer.from(JSON.stringify(cursor)).toString('base64url')

/** @throws ShopError `input.invalid` */
function cursorOf(text: string): z.output<typeof Cursor> {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    throw fieldError('after', 'is not what a page before ended with')
  }
}

const isOpen = sql`(c.status = 'OPEN')`

/** SQL: the boxes of the lines of complaint `c`. */
export const boxesOfLines = sql`(select coalesce(array_agg(distinct b.box_id), '{}') from order_line_boxes b
  where b.order_id = c.order_id and (c.lines = '[]'::jsonb or c.lines @> to_jsonb(b.position)))`

const filterOf = (state: ComplaintFilter | undefined): SQL =>
  state === undefined
    ? sql`true`
    : state === 'check'
      ? sql`(c.about_boxes and c.checked_at is null)`
      : sql`c.status = ${state}`

type Found = Omit<ComplaintPage['rows'][number], 'createdAt' | 'order'> & {
  /** To the microsecond, as the list is sorted. */
  at: string
  createdAt: Date | string
  orderId: string
  number: string
  orderStatus: ComplaintPage['rows'][number]['order']['status']
}

/**
 * A page of complaints: open ones first, the newest of each first.
 * @param q the number of an order, its beginning or its last digits
 * @throws ShopError `input.invalid` for an `after` that no page ended with
 */
export async function listComplaints(
  db: Db,
  {
    state,
    q = '',
    after,
  }: { state?: ComplaintFilter | undefined; q?: string | undefined; after?: string | undefined },
): Promise<ComplaintPage> {
  const numbered = q.trim() === '' ? sql`true` : (byNumber(q.trim()) ?? sql`false`)
  const cursor = after === undefined ? undefined : cursorOf(after)
  const beyond =
    cursor === undefined
      ? sql`true`
      : sql`(${isOpen}, c.created_at, c.id) < (${cursor[0]}, ${cursor[1]}::timestamptz, ${cursor[2]})`
  const found = await rows<Found>(
    db,
    sql`select c.id as "_id", c.status, c.wrong, c.wish, 
          case when o.status <> 'CANCELLED' or c.refunded_at is not null then c.promised_cents::float8 end as promised,
          c.refunded_at is not null as "isRefunded", c.created_at as "createdAt",
          to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
          coalesce((select left(w.text, ${SHOWN_WORDS}) from complaint_words w
            where w.complaint_id = c.id and w.who is null order by w.id desc limit 1), '') as words,
          (select count(*)::int from complaint_photos p where p.complaint_id = c.id) as photos,
          c.about_boxes and c.checked_at is null as "isToCheck",
          case when c.about_boxes and c.checked_at is null then ${boxesOfLines} else '{}' end as "toCheck",
          o.id as "orderId", o.number, o.status as "orderStatus"
        from complaints c join orders o on o.id = c.order_id
        where ${filterOf(state)} and ${numbered} and ${beyond}
        order by ${isOpen} desc, c.created_at desc, c.id desc limit ${PAGE + 1}`,
  )
  const page = found.slice(0, PAGE).map(({ orderId, number, orderStatus, createdAt, at: _, ...row }) => ({
    ...row,
    createdAt: new Date(createdAt).toISOString(),
    order: { _id: orderId, number, status: orderStatus },
  }))
  const last = found.length > PAGE ? found[PAGE - 1] : undefined
  return { rows: page, next: last ? textOf([last.status === 'OPEN', last.at, last._id]) : null }
}

type FoundOfBox = Omit<BoxComplaint, 'createdAt' | 'order' | 'checked'> & {
  createdAt: Date | string
  checkedAt: Date | string | null
  checkedBy: string | null
  found: string | null
  orderId: string
  number: string
}

/** Complaints about the freshness of what was packed from a box, those first that nobody has looked at. */
export async function boxComplaints(db: Db, boxID: string): Promise<BoxComplaint[]> {
  const found = await rows<FoundOfBox>(
    db,
    sql`select c.id as "_id", c.status, c.wrong, c.created_at as "createdAt", c.checked_at as "checkedAt",
          c.checked_by as "checkedBy", c.check_found as found, o.id as "orderId", o.number,
          array_agg(distinct l.title) as titles
        from order_line_boxes b join complaints c on c.order_id = b.order_id
          and (c.lines = '[]'::jsonb or c.lines @> to_jsonb(b.position))
        join orders o on o.id = c.order_id
        join order_lines l on l.order_id = b.order_id and l.position = b.position
        where b.box_id = ${boxID} and c.about_boxes
        group by c.id, o.id
        order by (c.checked_at is null) desc, c.created_at desc, c.id desc limit ${PAGE}`,
  )
  const names = await actorNames(db, [...new Set(found.flatMap(({ checkedBy }) => checkedBy ?? []))])
  return found.map(({ createdAt, checkedAt, checkedBy, found: result, orderId, number, ...row }) => ({
    ...row,
    order: { _id: orderId, number },
    createdAt: new Date(createdAt).toISOString(),
    checked:
      checkedAt === null || checkedBy === null
        ? null
        : {
            at: new Date(checkedAt).toISOString(),
            who: names.get(checkedBy) ?? checkedBy,
            found: result ?? '',
          },
  }))
}
