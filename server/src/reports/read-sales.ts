import type { SalesBy, SalesReport, SalesRow, Sold } from '@befaqt/domain/api/desk-api'
import { csvHeader, csvRows } from '@befaqt/domain/csv-cells'
import { ShopError } from '@befaqt/domain/errors'
import { clockText } from '@befaqt/domain/moment-text'
import { daysLater } from '@befaqt/domain/slot-rules'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import { fieldError } from '#server/http/field-error.ts'
import { concurrencyLimiter } from '#server/http/limits/concurrency-limiter.ts'
import { hasRight, type Principal } from '#server/identity/principal.ts'
import { stateOf } from './projection.ts'
import { type RangeDeps, type RangeQuery, rangesOf } from './ranges.ts'
import { addTo, among, columnOf, less, MAX_ROWS, none, type Ranges, summed } from './read-sums.ts'
import { ERASED, GUEST } from './sales-parts.ts'
import { measures, sales } from './sales-projection.ts'

export type SalesReadDeps = RangeDeps & { db: Db }
export type SalesQuery = RangeQuery & { by: SalesBy; category?: string | undefined }

/** From so many days on a report by day is one by month. */
const MAX_DAY_ROWS = 100
/** Rows of a file. */
const MAX_FILE_ROWS = 100_000

const stepOf = (days: number): 'day' | 'month' => (days > MAX_DAY_ROWS ? 'month' : 'day')

/** By day: all days of the range, or its months, also those without an order. */
async function byDay(db: Db, { days, range, before }: Ranges) {
  const found = await rows<Sold & { period: string }>(
    db,
    sql`select s.period, ${sql.join(
      measures.map((name) => sql`(${columnOf(name)})::float8 as ${sql.raw(name)}`),
      sql`, `,
    )} from sales_sums s
        where s.what = 'all' and s.period between ${before.from} and ${range.to} and length(s.period) = 10`,
  )
  const sold = new Map(found.map(({ period, ...sums }) => [period, sums]))
  const step = stepOf(days)
  const shown = new Map<string, SalesRow>()
  const [total, totalBefore] = [none(), none()]
  for (let day = range.from; day <= range.to; day = daysLater(day, 1)) {
    const key = step === 'month' ? day.slice(0, 7) : day
    const row = shown.get(key) ?? { key, name: key, now: none(), before: none() }
    const then = sold.get(daysLater(day, -days))
    addTo(row.now, sold.get(day))
    addTo(row.before, then)
    addTo(total, sold.get(day))
    addTo(totalBefore, then)
    shown.set(key, row)
  }
  return { step, total, totalBefore, rows: [...shown.values()], others: null }
}

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const kinds: Readonly<Record<string, string>> = { pickup: 'Pick-up', delivery: 'Delivery' }

/** 'Fri, 7:00 am, pick-up' of 'pickup 5 07:00'. */
function slotName(key: string): string {
  const [kind = '', weekday = '', clock = ''] = key.split(' ')
  return `${weekdays[Number(weekday) - 1] ?? ''}, ${clockText(clock)}, ${(kinds[kind] ?? kind).toLowerCase()}`
}

/** By weekday and time, pick-up first. */
const slotOrder = (key: string): string => key.split(' ').slice(1).concat(key).join(' ')

/** What people call these. Names of customers are in no sums: they are read of their accounts, as long as these are there. */
async function namesOf(db: Db, by: SalesBy, keys: readonly string[]): Promise<Map<string, string>> {
  const query = {
    ...{ day: null, slot: null, coupon: null },
    product: sql`select id, title as name from products where id = ${among(keys)}`,
    category: sql`select id, title as name from categories where id = ${among(keys)}`,
    customer: sql`select id, fname || ' ' || lname as name from users where id = ${among(keys)}`,
  }[by]
  const found = query === null ? [] : await rows<{ id: string; name: string }>(db, query)
  return new Map(found.map(({ id, name }) => [id, name]))
}

function nameOf(by: SalesBy, key: string, names: ReadonlyMap<string, string>): string {
  if (by === 'slot') return slotName(key)
  if (by === 'coupon') return key
  if (by === 'customer' && key === GUEST) return 'Guests'
  if (by === 'customer') return names.get(key) ?? (key === ERASED ? 'Erased accounts' : 'Erased account')
  return names.get(key) ?? key
}

async function byKey(
  db: Db,
  by: Exclude<SalesBy, 'day'>,
  ranges: Ranges,
  most: number,
  category: string | null,
) {
  const { found, all } = await summed(db, by, ranges, most, category)
  const names = await namesOf(
    db,
    by,
    found.map(({ key }) => key),
  )
  const shown = found.map((row) => ({ ...row, name: nameOf(by, row.key, names) }))
  if (by === 'slot') shown.sort((a, b) => (slotOrder(a.key) < slotOrder(b.key) ? -1 : 1))
  const [now, before] = [none(), none()]
  for (const row of shown) {
    addTo(now, row.now)
    addTo(before, row.before)
  }
  const others = { now: less(all.now, now), before: less(all.before, before) }
  const isAll = found.length < most
  return {
    step: 'day' as const,
    ...{ total: all.now, totalBefore: all.before, rows: shown, others: isAll ? null : others },
  }
}

/**
 * Sales of a range beside as many days before it, from the sums that `sales-projection.ts` keeps.
 * @throws ShopError `input.invalid`, `category.not_found`, `auth.forbidden` for customers without the right to see them
 */
export async function readSales(
  deps: SalesReadDeps,
  principal: Principal,
  query: SalesQuery,
  most = MAX_ROWS,
): Promise<SalesReport> {
  return reportOf(deps, await askedOf(deps, principal, query), most)
}

/** What a report is asked for, which may be, and is there. */
type Asked = { by: SalesBy; ranges: Ranges; category: SalesReport['category'] }

/** @throws as `readSales` */
async function askedOf(deps: SalesReadDeps, principal: Principal, query: SalesQuery): Promise<Asked> {
  const { by } = query
  if (by === 'customer' && !hasRight(principal, 'customer:read'))
    throw new ShopError('auth.forbidden', 'Who bought is shown to those who may see customers.')
  return { by, ranges: rangesOf(deps, query), category: await categoryOf(deps.db, query) }
}

/** @param most rows; the rest is one */
async function reportOf(
  deps: SalesReadDeps,
  { by, ranges, category }: Asked,
  most: number,
): Promise<SalesReport> {
  const { db } = deps
  const [state, report] = await Promise.all([
    stateOf(db, sales(deps)),
    by === 'day' ? byDay(db, ranges) : byKey(db, by, ranges, most, category?._id ?? null),
  ])
  return { by, range: ranges.range, before: ranges.before, category, ...report, ...state }
}

/** The category that is asked for. @throws ShopError `input.invalid`, `category.not_found` */
async function categoryOf(db: Db, { by, category }: SalesQuery): Promise<SalesReport['category']> {
  if (category === undefined) return null
  if (by !== 'product') throw fieldError('category', 'is for reports by product')
  const [found] = await rows<{ _id: string; title: string }>(
    db,
    sql`select id as "_id", title from categories where id = ${category}`,
  )
  if (found === undefined) throw new ShopError('category.not_found', 'There is no such category.')
  return found
}

const dollars = (cents: number): string => (cents / 100).toFixed(2)

const columns = [
  'orders',
  'kilograms',
  'pieces',
  'revenue',
  'gst',
  'discounts',
  'coupons',
  'refunds',
] as const

const cellsOf = ({ orders, grams, pieces, revenue, gst, discounts, coupons, refunds }: Sold) => [
  ...[orders, grams / 1_000, pieces],
  ...[revenue, gst, discounts, coupons, refunds].map((cents) => Number(dollars(cents))),
]

/** Rows that are sent at once. */
const PART = 1_000

/** Does work when its turn has come; rejects with the reason of the signal where nobody waits for it any more by then. */
type Turn = <Made>(work: () => Promise<Made>) => Promise<Made>

/** So long files may take to be sent. */
const MAX_FILE_MS = 300_000

/**
 * Turns for the sums of files, one after the other: those are of all rows, and who breaks a file off and asks again leaves
 * the reading of its sums behind, which many would fill all connections with.
 */
export function fileTurns(): (gone?: AbortSignal) => Turn {
  const limiter = concurrencyLimiter(
    { maxConcurrent: 1, maxWaiting: Number.POSITIVE_INFINITY, slotMs: MAX_FILE_MS },
    () => new Error('all may wait'),
  )
  return (gone) => (work) =>
    limiter('sums', () => {
      gone?.throwIfAborted()
      return work()
    })
}

/**
 * The same as a file, with what all rows come to; names that look like formulas are made harmless. It begins before the
 * sums are read, which it waits for its turn with. @throws as `readSales`
 */
export async function salesFile(
  deps: SalesReadDeps,
  principal: Principal,
  query: SalesQuery,
  turn: Turn,
): Promise<{ name: string; lines: AsyncGenerator<string> }> {
  const asked = await askedOf(deps, principal, query)
  const { by } = asked
  const { range } = asked.ranges
  return { name: `sales-by-${by}-${range.from}-${range.to}.csv`, lines: linesOf(deps, asked, turn) }
}

async function* linesOf(deps: SalesReadDeps, asked: Asked, turn: Turn): AsyncGenerator<string> {
  const key = asked.by === 'day' ? stepOf(asked.ranges.days) : asked.by
  yield csvHeader([key, ...columns, ...columns.map((name) => `${name} before`)])
  const { rows: found, others, total, totalBefore } = await turn(() => reportOf(deps, asked, MAX_FILE_ROWS))
  const all = [
    ...found,
    ...(others === null ? [] : [{ name: 'All others', ...others }]),
    { name: 'All', now: total, before: totalBefore },
  ]
  for (let from = 0; from < all.length; from += PART)
    yield csvRows(
      all
        .slice(from, from + PART)
        .map(({ name, now, before }) => [name, ...cellsOf(now), ...cellsOf(before)]),
    )
}
