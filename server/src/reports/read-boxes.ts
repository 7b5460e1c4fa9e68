import type { FishReport, FishSums } from '@befaqt/domain/api/desk-api'
import { csvHeader, csvRows } from '@befaqt/domain/csv-cells'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import { boxes } from './box-sums.ts'
import { stateOf } from './projection.ts'
import { type RangeDeps, type RangeQuery, rangesOf } from './ranges.ts'

export type FishDeps = RangeDeps & { db: Db }
export type FishQuery = RangeQuery & { by: FishReport['by'] }

/** Rows of a page; the file has more. */
const MAX_ROWS = 100
const MAX_FILE_ROWS = 100_000

const measures = ['bought', 'sold', 'lost', 'excellent', 'good', 'useSoon', 'over'] as const

const none = (): FishSums => ({
  ...{ boxes: 0, bought: 0, sold: 0, lost: 0, left: 0 },
  ...{ excellent: 0, good: 0, useSoon: 0, over: 0 },
})

type Found = { key: string; measure: 'grams' | 'pieces'; isNow: boolean } & Omit<FishSums, 'left'>

const sumsIn = ({ key: _, measure: __, isNow: ___, ...sums }: Found): FishSums => ({
  ...sums,
  left: sums.bought - sums.sold - sums.lost,
})

/** Sums of boxes that were registered within the two ranges, by what is asked for. */
const summed = (db: Db, key: SQL, from: string, to: string, since: string): Promise<Found[]> =>
  rows<Found>(
    db,
    sql`select ${key} as key, s.measure, s.day >= ${since} as "isNow", count(*)::int as boxes,
          ${sql.join(
            measures.map(
              (name) =>
                sql`sum(s.${sql.raw(name === 'useSoon' ? 'use_soon' : name)})::float8 as ${sql.raw(`"${name}"`)}`,
            ),
            sql`, `,
          )}
        from box_sums s join boxes b on b.id = s.box_id
        where s.day between ${from} and ${to} group by 1, 2, 3`,
  )

/**
 * The fish of boxes that were registered within a range, and what became of it until now: bought, sold, lost, left, and
 * how fresh it was when it was sold. By species beside the boxes of as many days before; box by box, the newest first.
 * @throws ShopError `input.invalid`
 */
export async function readFish(deps: FishDeps, query: FishQuery, most = MAX_ROWS): Promise<FishReport> {
  const { db } = deps
  const { by } = query
  const { range, before } = rangesOf(deps, query)
  const key = by === 'species' ? sql`b.species` : sql`''`
  const [state, found, ofBoxes] = await Promise.all([
    stateOf(db, boxes(deps)),
    summed(db, key, before.from, range.to, range.from),
    by === 'box' ? boxRows(db, range, most + 1) : [],
  ])
  const totals = (['grams', 'pieces'] as const).map((measure) => {
    const all = found.filter((one) => one.measure === measure)
    const of = (isNow: boolean): FishSums =>
      all.filter((one) => one.isNow === isNow).reduce((sum, one) => added(sum, sumsIn(one)), none())
    return { key: '', name: '', measure, now: of(true), before: of(false) }
  })
  const shown = by === 'species' ? speciesRows(found) : ofBoxes
  return {
    ...{ by, range, before, totals, rows: shown.slice(0, most), more: shown.length > most },
    ...state,
  }
}

const added = (one: FishSums, other: FishSums): FishSums =>
  Object.fromEntries(
    Object.entries(one).map(([name, value]) => [name, value + other[name as keyof FishSums]]),
  ) as FishSums

/** The most bought first, what is weighed before what is counted. */
function speciesRows(found: readonly Found[]): FishReport['rows'] {
  const groups = Map.groupBy(found, ({ key, measure }) => `${measure} ${key}`)
  const shown = [...groups.values()].flatMap((parts) => {
    const [first] = parts
    if (first === undefined) return []
    const of = (isNow: boolean): FishSums => {
      const part = parts.find((one) => one.isNow === isNow)
      return part ? sumsIn(part) : none()
    }
    const { key, measure } = first
    return [
      { key: `${measure} ${key}`, name: key || 'Not stated', measure, now: of(true), before: of(false) },
    ]
  })
  const order = ({ measure, now }: FishReport['rows'][number]): number =>
    (measure === 'grams' ? 1e15 : 0) + now.bought
  return shown.sort((a, b) => order(b) - order(a) || (a.name < b.name ? -1 : 1))
}

async function boxRows(
  db: Db,
  { from, to }: { from: string; to: string },
  most: number,
): Promise<FishReport['rows']> {
  type Row = Omit<Found, 'isNow'> & { species: string; day: string }
  const found = await rows<Row>(
    db,
    sql`select s.box_id as key, b.species, s.day, s.measure, 1 as boxes, s.bought::float8, s.sold::float8, s.lost::float8,
          s.excellent::float8, s.good::float8, s.use_soon::float8 as "useSoon", s.over::float8
        from box_sums s join boxes b on b.id = s.box_id
        where s.day between ${from} and ${to} order by s.day desc, s.box_id, s.measure limit ${most}`,
  )
  return found.map(({ species, day, ...row }) => ({
    ...{ key: row.key, name: species || 'Not stated', measure: row.measure, day, before: null },
    now: sumsIn({ ...row, isNow: true }),
  }))
}

const columns = ['boxes', 'bought', 'sold', 'lost', 'left', 'excellent', 'good', 'useSoon', 'over'] as const

/** The same as a file, in kilograms and pieces; names that look like formulas are made harmless. */
export async function fishFile(deps: FishDeps, query: FishQuery): Promise<{ name: string; text: string }> {
  const { by, range, rows: found } = await readFish(deps, query, MAX_FILE_ROWS)
  const names = columns.map(
    (name) => ({ useSoon: 'use soon', over: 'past its best' })[name as string] ?? name,
  )
  const head =
    by === 'box'
      ? ['box', 'species', 'day', 'in', ...names]
      : ['species', 'in', ...names, ...names.map((name) => `${name} before`)]
  const cells = (sums: FishSums, measure: string): number[] =>
    columns.map((name) => (measure === 'grams' && name !== 'boxes' ? sums[name] / 1_000 : sums[name]))
  const lines = found.map(({ key, name, day, measure, now, before }) => {
    const unit = measure === 'grams' ? 'kg' : 'pieces'
    return by === 'box'
      ? [key, name, day ?? '', unit, ...cells(now, measure)]
      : [name, unit, ...cells(now, measure), ...cells(before ?? none(), measure)]
  })
  return { name: `fish-by-${by}-${range.from}-${range.to}.csv`, text: csvHeader(head) + csvRows(lines) }
}
