import type { ListPlace, Paged } from '@befaqt/domain/api/box-api'
import type { ManagedOrderRow } from '@befaqt/domain/api/order-api'
import { instantOf } from '@befaqt/domain/market-time'
import type { OrderState } from '@befaqt/domain/order-states'
import { daysLater } from '@befaqt/domain/slot-rules'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { type Counted, countListed, rising } from '#server/db/keyset.ts'
import { orders } from '#server/db/schema/orders.ts'
import { MAX_FOUND } from '#server/db/search-and-order.ts'
import type { Search } from '#server/http/limits/limited-search.ts'
import { allowedBoxes, type Principal } from '#server/identity/principal.ts'
import { withLinesOf } from '../order-access.ts'
import { pageOfOrders } from '../read-orders.ts'
import { gravestOf, linesToDecide } from '../recalling/read-recall.ts'
import { byNumber, findOrders, isFoundInWalk } from './found-orders.ts'

/**
 * The filter of the list of orders. `open`: neither completed nor cancelled; `decide`: something is to be decided; `day`:
 * of the slot, in market time.
 */
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

/** SQL: the number of an order, for a key that may not learn whose order it is by searching for names. */
const isNumbered = (q: string | undefined): SQL | undefined => {
  const text = (q ?? '').trim()
  return text === '' ? undefined : (byNumber(text, sql`${orders.number}`) ?? sql`false`)
}

/**
 * Which orders match a filter, for a file of them. `isFew`: an index finds these alone, whatever else there is; others are
 * met while all orders are walked.
 * @param boxes the only ones to return are of these; null: all
 */
export async function chosenOrders(
  { db, siteFile }: ListDeps,
  { q, ...filter }: OrderFilter,
  boxes: readonly string[] | null,
): Promise<{ where: SQL | undefined; isFew: boolean }> {
  const { status, slot, day } = filter
  const undecided = status === 'decide' ? (await linesToDecide(db)).keys() : []
  const where = filtered(filter, siteFile.market.timeZone, boxes, undecided)
  const isFew = (slot ?? day) !== undefined || status === 'open' || status === 'decide'
  if (boxes !== null) return { where: and(where, isNumbered(q)), isFew }
  const found = await whatIsFound(db, q)
  return found === undefined
    ? { where, isFew }
    : { where: and(where, found.where), isFew: isFew || !found.isMany }
}

/**
 * What a search narrows orders to, by indexes first: to those that it finds, or, of more than a thousand, to what is looked
 * for in each order. Undefined: there is nothing to search for.
 */
async function whatIsFound(
  db: Db,
  q: string | undefined,
): Promise<{ where: SQL; isMany: boolean } | undefined> {
  const found = await findOrders(db, q)
  if (found === undefined) return undefined
  return found === 'many'
    ? { where: isFoundInWalk(q ?? ''), isMany: true }
    : { where: inArray(orders.id, [...found]), isMany: false }
}

/** @param undecided ids of the orders in which something is to be decided */
const filtered = (
  { status, slot, day }: Omit<OrderFilter, 'q'>,
  timeZone: string,
  boxes: readonly string[] | null,
  undecided: Iterable<string>,
): SQL | undefined =>
  and(
    withLinesOf(boxes),
    status === 'open' ? isOpen : undefined,
    status === 'decide' ? sql`${orders.id} = any(${sql.param([...undecided])}::text[])` : undefined,
    status && status !== 'open' && status !== 'decide' ? eq(orders.status, status) : undefined,
    slot ? eq(orders.slotId, slot) : undefined,
    day ? startsOn(day, timeZone) : undefined,
  )

const bySlot = [rising(orders.slotStartsAt), rising(orders.createdAt), rising(orders.id)]

export type ListDeps = { db: Db; siteFile: { market: { timeZone: string } } }

/** As `allOrders`; looking for words runs within the limits of searches, until `signal` ends it. */
export const searchOrders = (
  deps: ListDeps & { search: Search },
  principal: Principal,
  query: Parameters<typeof allOrders>[2],
  signal?: AbortSignal,
): Promise<Paged<ManagedOrderRow>> =>
  query.q
    ? deps.search('managers', (db) => allOrders({ ...deps, db }, principal, query), signal)
    : allOrders(deps, principal, query)

/**
 * All orders, the newest first, or by the start of their slots; each with what somebody has to decide in it. A key for
 * some boxes sees those with lines of them, without contacts.
 */
async function allOrders(
  { db, siteFile }: ListDeps,
  principal: Principal,
  query: OrderFilter & ListPlace & { sort?: 'slot' | undefined },
): Promise<Paged<ManagedOrderRow>> {
  const { sort, q, page, size, after, before, ...filter } = query
  const place = { page, size, after, before }
  const boxes = allowedBoxes(principal)
  const undecided = await linesToDecide(db)
  const list = {
    where: filtered(filter, siteFile.market.timeZone, boxes, undecided.keys()),
    of: ['orders', { sort, q, ...filter, boxes }] as const,
    ...(sort === 'slot' && { keys: bySlot }),
  }
  const found =
    boxes === null
      ? await foundOrders(db, q, place, list)
      : await pageOfOrders(db, place, { ...list, where: and(list.where, isNumbered(q)) })
  const rows = found.rows.map((row) => ({
    ...row,
    ...(boxes === null ? {} : { contact: null }),
    toDecide: gravestOf(undecided.get(row._id)),
  }))
  return { ...found, rows }
}

/**
 * A page of the orders of a filter that a search finds, by indexes first. Where it finds more than a thousand, the list is
 * walked in its order, and the total says that there are at least so many; of all orders that is known without counting.
 */
async function foundOrders(
  db: Db,
  q: string | undefined,
  place: ListPlace,
  list: Parameters<typeof pageOfOrders>[2],
): ReturnType<typeof pageOfOrders> {
  const found = await whatIsFound(db, q)
  if (found === undefined) return pageOfOrders(db, place, list)
  const where = and(list.where, found.where)
  if (!found.isMany) return pageOfOrders(db, place, { ...list, where })
  const count = async (beyond: SQL | undefined): Promise<Counted> =>
    list.where === undefined
      ? { total: MAX_FOUND, atLeast: true }
      : countListed(db, orders, where, beyond, MAX_FOUND)
  return pageOfOrders(db, place, { ...list, where, count })
}
