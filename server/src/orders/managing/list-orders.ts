import type { ListPlace, Paged } from '@befaqt/domain/api/box-api'
import type { ManagedOrderRow, OrderView } from '@befaqt/domain/api/order-api'
import { type CsvCell, csvHeader, csvRows } from '@befaqt/domain/csv-cells'
import { instantOf, shownTime } from '@befaqt/domain/market-time'
import type { OrderState } from '@befaqt/domain/order-states'
import { daysLater } from '@befaqt/domain/slot-rules'
import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { batched } from '#server/catalogue/index.ts'
import { type Db, ONE_MOMENT } from '#server/db/client.ts'
import { type Counted, countListed, rising } from '#server/db/keyset.ts'
import { orders } from '#server/db/schema/orders.ts'
import { eitherFinds, findIds, MAX_FOUND } from '#server/db/search-and-order.ts'
import type { Search } from '#server/http/limits/limited-search.ts'
import { allowedBoxes, type Principal } from '#server/identity/principal.ts'
import { withLinesOf } from '../order-access.ts'
import { orderView } from '../order-views.ts'
import { pageOfOrders, readWholeOrders } from '../read-orders.ts'
import { gravestOf, linesToDecide } from '../recalling/read-recall.ts'
import { byNumber, isFound, isFoundInWalk, searches } from './found-orders.ts'

/**
 * The filter of the list of orders. `open`: neither completed nor cancelled; `decide`: something is to be decided; `day`:
 * of the slot, in market time.
 */
type OrderFilter = {
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

/** SQL: all orders that match the filter. @param boxes the only ones to return are of these; null: all */
async function matchingOrders(
  { db, siteFile }: ListDeps,
  { q, ...filter }: OrderFilter,
  boxes: readonly string[] | null,
): Promise<SQL | undefined> {
  const undecided = filter.status === 'decide' ? (await linesToDecide(db)).keys() : []
  const where = filtered(filter, siteFile.market.timeZone, boxes, undecided)
  return and(where, boxes === null ? isFound(q) : isNumbered(q))
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

type ListDeps = { db: Db; siteFile: { market: { timeZone: string } } }

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
  const queries = searches(q)
  if (queries.length === 0) return pageOfOrders(db, place, list)
  const found = await findIds(db, eitherFinds(queries))
  if (found !== 'many')
    return pageOfOrders(db, place, { ...list, where: and(list.where, inArray(orders.id, [...found])) })
  const where = and(list.where, isFoundInWalk(q ?? ''))
  const count = async (beyond: SQL | undefined): Promise<Counted> =>
    list.where === undefined
      ? { total: MAX_FOUND, atLeast: true }
      : countListed(db, orders, where, beyond, MAX_FOUND)
  return pageOfOrders(db, place, { ...list, where, count })
}

const columns = [
  'number',
  'status',
  'placed',
  'kind',
  'slot',
  'first name',
  'last name',
  'email',
  'phone',
  'address',
  'note',
  'line',
  'product',
  'quantity',
  'unit',
  'ordered grams',
  'net grams',
  'price',
  'discount %',
  'line total',
  'boxes',
  'order total',
  'coupon',
  'coupon off line',
  'preparation',
  'preparation price',
  'delivery fee',
] as const

/**
 * Orders as CSV (RFC 4180, UTF-8 with a byte order mark), the newest first, a row for each line. Times are market time. A
 * key for some boxes gets those with lines of them, without contacts.
 */
export async function* exportOrders(
  deps: { db: Db; siteFile: { market: { timeZone: string } } },
  principal: Principal,
  filter: OrderFilter,
): AsyncGenerator<string> {
  const { db, siteFile } = deps
  const { timeZone } = siteFile.market
  const boxes = allowedBoxes(principal)
  const role = boxes === null ? 'shop' : 'boxes'
  yield csvHeader(columns)
  const all = await db
    .select({ id: orders.id })
    .from(orders)
    .where(await matchingOrders(deps, filter, boxes))
    .orderBy(desc(orders.createdAt), desc(orders.id))
  for await (const part of batched(all)) {
    const ids = part.map(({ id }) => id)
    const whole = await db.transaction((tx) => readWholeOrders(tx, ids), ONE_MOMENT)
    yield csvRows(whole.flatMap((one) => rowsOf(orderView(one, role), timeZone)))
  }
}

const timeOf = (at: string | null, timeZone: string): string => {
  const { date, time } = shownTime(at ?? '', timeZone)
  return `${date} ${time}`.trim()
}

const dollars = (amount: number): string => (amount / 100).toFixed(2)

function rowsOf(order: OrderView, timeZone: string): CsvCell[][] {
  const { number, status, createdAt, kind, slot, contact, address, note, lines, totals } = order
  const street = address ? `${address.street}, ${address.suburb} ${address.state} ${address.postcode}` : ''
  const before = [number, status, timeOf(createdAt, timeZone), kind, timeOf(slot.startsAt, slot.timeZone)]
  const { fname = '', lname = '', email = '', phone = '' } = contact ?? {}
  const who = [fname, lname, email, phone, street, note]
  return lines.map((line) => [
    ...before,
    ...who,
    line.position,
    line.title,
    line.quantity,
    line.unit,
    line.orderedGrams,
    line.finalGrams,
    dollars(line.price),
    line.discount,
    dollars(line.total),
    line.boxes.map(({ boxID, amount }) => `${boxID}: ${amount}`).join('; '),
    dollars(totals.total),
    order.coupon?.code ?? '',
    order.coupon ? dollars(line.coupon ?? 0) : '',
    line.preparation?.kind ?? '',
    line.preparation ? dollars(line.preparation.feeCents) : '',
    dollars(totals.delivery),
  ])
}
