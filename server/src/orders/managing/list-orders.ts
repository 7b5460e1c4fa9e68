import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedOrderRow } from '@befaqt/domain/api/order-api'
import { instantOf } from '@befaqt/domain/market-time'
import type { OrderState } from '@befaqt/domain/order-states'
import { daysLater } from '@befaqt/domain/slot-rules'
import { and, asc, eq, ilike, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { orders } from '#server/db/schema/orders.ts'
import { likeText, matchesAllWordsIndexed } from '#server/db/search-and-order.ts'
import type { Search } from '#server/http/limits/limited-search.ts'
import { allowedBoxes, type Principal } from '#server/identity/principal.ts'
import { withLinesOf } from '#server/orders/order-access.ts'
import { type Page, pageOfOrders } from '#server/orders/read-orders.ts'
import { gravestOf, linesToDecide } from '#server/orders/recalling/to-decide.ts'

/** The filter of the list of orders. `open`: neither completed nor cancelled; `decide`: something is to be decided; `day`: of the slot, in market time. */
export type OrderFilter = {
  q?: string | undefined
  status?: OrderState | 'open' | 'decide' | undefined
  slot?: string | undefined
  day?: string | undefined
}

/** The same words as the partial index has, so that it is used. */
const isOpen = sql`${orders.status} not in ('COMPLETED', 'CANCELLED')`

/** SQL: does the slot of an order start on this day? @param day `YYYY-MM-DD` */
export function startsOn(day: string, timeZone: string): SQL {
  const [from, to] = [day, daysLater(day, 1)].map((date) =>
    new Date(instantOf(`${date} 00:00:00`, timeZone) ?? 0).toISOString(),
  )
  return sql`${orders.slotStartsAt} >= ${from}::timestamptz and ${orders.slotStartsAt} < ${to}::timestamptz`
}

const WHOLE_NUMBER = /^BF-\d{4}-\d{6,12}$/i
/** What may be a part of an order's number. */
const PART_OF_NUMBER = /^[BF\d-]{1,20}$/i

/**
 * Searches numbers, names, emails and phones, each once for the whole list. Undefined: there is nothing to search for.
 */
function isFound(q: string | undefined): SQL | undefined {
  const words = matchesAllWordsIndexed(sql`c.search`, q)
  if (words === undefined) return undefined
  const byContact = sql`select c.order_id from order_contacts c where ${words}`
  const text = (q ?? '').trim()
  if (WHOLE_NUMBER.test(text)) return eq(orders.number, text.toUpperCase())
  return PART_OF_NUMBER.test(text)
    ? sql`${orders.id} in (${byContact} union all select o.id from orders o where o.number ilike ${likeText(text)})`
    : sql`${orders.id} in (${byContact})`
}

/** Nobody learns whose order it is by searching for names. */
const isNumbered = (q: string | undefined): SQL | undefined =>
  q === undefined || q.trim() === '' ? undefined : ilike(orders.number, likeText(q.trim()))

/** SQL: the orders that match the filter. @param boxes the only ones to return are of these; null: all */
export const matchingOrders = (
  { q, status, slot, day }: OrderFilter,
  timeZone: string,
  boxes: readonly string[] | null,
): SQL | undefined =>
  and(
    withLinesOf(boxes),
    status === 'open' || status === 'decide' ? isOpen : status && eq(orders.status, status),
    slot ? eq(orders.slotId, slot) : undefined,
    day ? startsOn(day, timeZone) : undefined,
    boxes === null ? isFound(q) : isNumbered(q),
  )

const bySlot = [asc(orders.slotStartsAt), asc(orders.createdAt), asc(orders.id)]

type ListDeps = { db: Db; siteFile: { market: { timeZone: string } } }

/** As `allOrders`; looking for words runs within the limits of searches, until `signal` ends it. */
export const searchOrders = (
  deps: ListDeps & { search: Search },
  principal: Principal,
  query: Parameters<typeof allOrders>[2],
  page: Page,
  signal?: AbortSignal,
): Promise<Paged<ManagedOrderRow>> =>
  query.q
    ? deps.search('managers', (db) => allOrders({ ...deps, db }, principal, query, page), signal)
    : allOrders(deps, principal, query, page)

/**
 * All orders, the newest first, or by the start of their slots; each with what somebody has to decide in it. A key for
 * some boxes sees those with lines of them, without contacts.
 */
export async function allOrders(
  { db, siteFile }: ListDeps,
  principal: Principal,
  { sort, ...filter }: OrderFilter & { sort?: 'slot' | undefined },
  page: Page,
): Promise<Paged<ManagedOrderRow>> {
  const boxes = allowedBoxes(principal)
  const undecided = await linesToDecide(db)
  const among = sql`${orders.id} = any(${sql.param([...undecided.keys()])}::text[])`
  const where = and(
    matchingOrders(filter, siteFile.market.timeZone, boxes),
    filter.status === 'decide' ? among : undefined,
  )
  const found = await pageOfOrders(db, where, page, ...(sort === 'slot' ? [bySlot] : []))
  const rows = found.rows.map((row) => ({
    ...row,
    ...(boxes === null ? {} : { contact: null }),
    toDecide: gravestOf(undecided.get(row._id)),
  }))
  return { ...found, rows }
}
