import type { SalesBy, Sold } from '@befaqt/domain/api/desk-api'
import { daysLater } from '@befaqt/domain/slot-rules'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import type { salesOf } from '#server/db/schema/reports.ts'
import { periodsOf, type rangesOf } from './ranges.ts'
import { measures } from './sales-projection.ts'

/** Rows of a page; the rest is one. */
export const MAX_ROWS = 100

/** What `sales_sums` are of, by what a report adds up by. */
const sumsOf: Readonly<Record<SalesBy, (typeof salesOf)[number]>> = {
  ...{
    day: 'all',
    product: 'product',
    category: 'product',
    customer: 'customer',
    slot: 'slot',
    coupon: 'coupon',
  },
}

export type Ranges = ReturnType<typeof rangesOf>

/** Nothing was sold. */
export const none = (): Sold => soldOf([])

/** Adds figures to a sum. */
export function addTo(sum: Sold, more: Sold | undefined): void {
  if (more !== undefined) for (const name of measures) sum[name] += more[name]
}

/** All but some. */
export const less = (all: Sold, some: Sold): Sold =>
  Object.fromEntries(measures.map((name) => [name, all[name] - some[name]])) as Sold

/** SQL: a column of sums; revenue is without what was given back. */
export const columnOf = (name: (typeof measures)[number]): SQL =>
  name === 'revenue' ? sql`s.revenue - s.refunds` : sql.raw(`s.${name}`)

type Keyed = { key: string; now: Sold; before: Sold }
type Found = { found: Keyed[]; all: Pick<Keyed, 'now' | 'before'> }

type Periods = { now: string[]; both: string[] }

const periodsIn = ({ range, before }: Ranges): Periods => {
  const now = periodsOf(range)
  return { now, both: [...now, ...periodsOf(before)] }
}

/** SQL: any of these. */
export const among = (values: readonly string[]): SQL => sql`any(${sql.param([...values])}::text[])`

/**
 * SQL: what is added up of `s` in one of the ranges. Whole numbers are exact as `float8`; PostgreSQL's sums of `bigint`
 * are decimals, and take longer.
 */
const sumsIn = (during: SQL): SQL =>
  sql.join(
    measures.map((name) => sql`coalesce(sum((${columnOf(name)})::float8) filter (where ${during}), 0)`),
    sql`, `,
  )

/** SQL: both ranges of a row as lists of figures, in the order of `measures`. */
const bothSums = sql`array[${sumsIn(sql`s.is_now`)}] as now, array[${sumsIn(sql`not s.is_now`)}] as before`

type Summed = { key: string; now: number[]; before: number[] }

const soldOf = (figures: readonly number[]): Sold =>
  Object.fromEntries(measures.map((name, i) => [name, figures[i] ?? 0])) as Sold

const keyed = ({ key, now, before }: Summed): Keyed => ({ key, now: soldOf(now), before: soldOf(before) })

/** SQL: sums of these periods, each with whether it is in the range; of the keys for which a condition holds, or of all. */
const sumsOfKeys = (what: (typeof salesOf)[number], { now, both }: Periods, where: SQL): SQL =>
  sql`(select *, period = ${among(now)} as is_now from sales_sums
    where what = ${what} and period = ${among(both)} and ${where} offset 0) s`

/** SQL: a key is that of a product of this category; null: any is. */
const isOf = (category: string | null): SQL =>
  category === null ? sql`true` : sql`key in (select id from products where category_id = ${category})`

/** The most revenue first, that of the range before where it is the same. */
const byRevenue = (a: Keyed, b: Keyed): number =>
  b.now.revenue - a.now.revenue || b.before.revenue - a.before.revenue || (a.key < b.key ? -1 : 1)

/** Adds up every row of the ranges: where there are few keys, and for files. */
async function everyKey(
  db: Db,
  by: Exclude<SalesBy, 'day'>,
  periods: Periods,
  most: number,
  where: SQL,
): Promise<Keyed[]> {
  const isCategory = by === 'category'
  const found = await rows<Summed>(
    db,
    sql`select ${isCategory ? sql`p.category_id` : sql`s.key`} as key, ${bothSums}
        from ${sumsOfKeys(sumsOf[by], periods, where)} ${isCategory ? sql`join products p on p.id = s.key` : sql``}
        group by 1
        order by coalesce(sum((s.revenue - s.refunds)::float8) filter (where s.is_now), 0) desc,
          sum((s.revenue - s.refunds)::float8) desc, 1 limit ${most}`,
  )
  return found.map(keyed)
}

/** Periods that are added up and that are taken off. */
type Signed = { plus: string[]; minus: string[] }

/** About how many rows of customers a period has, as shares of a year's. */
const WEIGHTS: Readonly<Record<number, number>> = { 0: 1.5, 4: 1, 7: 0.125, 10: 0.005 }
const weightOf = (periods: readonly string[]): number =>
  periods.reduce((sum, { length }) => sum + (WEIGHTS[length] ?? 0), 0)

/** A range as its periods, or as all that was ever without what was before and after it: what has fewer rows. */
async function fewestRows(db: Db, range: Ranges['range']): Promise<Signed> {
  const direct: Signed = { plus: periodsOf(range), minus: [] }
  if (weightOf(direct.plus) <= (WEIGHTS[0] ?? 0)) return direct
  const [known] = await rows<{ first: string | null; last: string | null }>(
    db,
    sql`select min(period) as first, max(period) as last from sales_sums where what = 'all' and period > ''`,
  )
  if (typeof known?.first !== 'string' || typeof known.last !== 'string') return direct
  const first = `${known.first.slice(0, 4)}-01-01`
  const minus = [
    ...(first < range.from ? periodsOf({ from: first, to: daysLater(range.from, -1) }) : []),
    ...(range.to < known.last ? periodsOf({ from: daysLater(range.to, 1), to: known.last }) : []),
  ]
  return weightOf(['', ...minus]) < weightOf(direct.plus) ? { plus: [''], minus } : direct
}

/** The keys with the most revenue in some periods, which an index has: no other column is read of all of them. */
async function firstKeys(
  db: Db,
  what: (typeof salesOf)[number],
  { plus, minus }: Signed,
  most: number,
  where: SQL,
  except: readonly string[] = [],
): Promise<string[]> {
  const revenue = sql`(revenue - refunds)::float8`
  const signed = sql`case when period = ${among(minus)} then -${revenue} else ${revenue} end`
  const found = await rows<{ key: string }>(
    db,
    sql`select key from (
          select key, sum(${minus.length === 0 ? revenue : signed}) as revenue from sales_sums
          where what = ${what} and period = ${among([...plus, ...minus])} and ${where} group by key) k
        where not key = ${among(except)} ${minus.length === 0 ? sql`` : sql`and revenue <> 0`}
        order by revenue desc, key limit ${most}`,
  )
  return found.map(({ key }) => key)
}

/** Finds the first keys of the range, and of the one before where these are few, and then reads the figures of these. */
async function firstOfMany(
  db: Db,
  by: Exclude<SalesBy, 'day'>,
  { range }: Ranges,
  periods: Periods,
  most: number,
  where: SQL,
): Promise<Keyed[]> {
  const what = sumsOf[by]
  const first = await firstKeys(db, what, await fewestRows(db, range), most, where)
  const missing = most - first.length
  const more =
    missing > 0 ? await firstKeys(db, what, { plus: periods.both, minus: [] }, missing, where, first) : []
  const found = await rows<Summed>(
    db,
    sql`select s.key, ${bothSums} from ${sumsOfKeys(what, periods, sql`key = ${among([...first, ...more])}`)} group by 1`,
  )
  return found.map(keyed).sort(byRevenue)
}

/** What all of a report comes to, which the sums have: orders of all customers are all orders. */
const totalOf: Partial<Record<SalesBy, (typeof salesOf)[number]>> = {
  ...{ product: 'lines', category: 'lines', customer: 'all', slot: 'all' },
}

/**
 * The sums of what a report adds up by, the most revenue first, and what all of them come to. A page of many keys is read in
 * two steps. `category`: products of it alone. Source: docs/decisions/0105-reports.md.
 */
export async function summed(
  db: Db,
  by: Exclude<SalesBy, 'day'>,
  ranges: Ranges,
  most: number,
  category: string | null,
): Promise<Found> {
  const where = isOf(category)
  const periods = periodsIn(ranges)
  const isMany = (by === 'product' || by === 'customer') && most <= MAX_ROWS
  const [found, [total]] = await Promise.all([
    isMany ? firstOfMany(db, by, ranges, periods, most, where) : everyKey(db, by, periods, most, where),
    rows<Summed>(
      db,
      sql`select '' as key, ${bothSums} from ${sumsOfKeys((category === null && totalOf[by]) || sumsOf[by], periods, where)}`,
    ),
  ])
  return { found, all: total ? keyed(total) : { now: none(), before: none() } }
}
