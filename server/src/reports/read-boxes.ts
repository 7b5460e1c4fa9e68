import { amountIn } from '@befaqt/domain/amount'
import type { FishReport, FishSums, LostRow } from '@befaqt/domain/api/desk-api'
import { csvHeader, csvRows } from '@befaqt/domain/csv-cells'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'
import { boxes, measured } from './box-sums.ts'
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
  ...{ excellent: 0, good: 0, useSoon: 0, over: 0, unsaid: 0 },
})

type Found = { key: string; measure: 'grams' | 'pieces'; isNow: boolean } & Omit<FishSums, 'left' | 'unsaid'>

const sumsIn = ({ key: _, measure: __, isNow: ___, ...sums }: Found): FishSums => ({
  ...sums,
  left: sums.bought - sums.sold - sums.lost,
  unsaid: sums.sold - sums.excellent - sums.good - sums.useSoon - sums.over,
})

/** Sums of boxes that were registered within the two ranges, by species. */
const summed = (db: Db, from: string, to: string, since: string): Promise<Found[]> =>
  rows<Found>(
    db,
    sql`select b.species as key, s.measure, s.day >= ${since} as "isNow", count(*)::int as boxes,
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
 * how fresh it was when it was sold. By species beside the boxes of as many days before; box by box below its species;
 * what was lost by reason. @throws ShopError `input.invalid`
 */
export async function readFish(deps: FishDeps, query: FishQuery, most = MAX_ROWS): Promise<FishReport> {
  const { db } = deps
  const { by } = query
  const { range, before } = rangesOf(deps, query)
  const [state, found, ofBoxes, lost] = await Promise.all([
    stateOf(db, boxes(deps)),
    summed(db, before.from, range.to, range.from),
    by === 'box' ? boxRows(db, range, most + 1) : [],
    by === 'reason' ? lostRows(db, before.from, range.to, range.from) : [],
  ])
  const totals = (['grams', 'pieces'] as const).map((measure) => {
    const all = found.filter((one) => one.measure === measure)
    const of = (isNow: boolean): FishSums =>
      all.filter((one) => one.isNow === isNow).reduce((sum, one) => added(sum, sumsIn(one)), none())
    return { key: '', name: '', measure, now: of(true), before: of(false) }
  })
  const species = by === 'reason' ? [] : speciesRows(found)
  const some = by === 'box' ? inOrderOf(species, ofBoxes.slice(0, most)) : species.slice(0, most)
  const more = [by === 'box' ? ofBoxes : species, lost].some(({ length }) => length > most)
  return {
    ...{ by, range, before, totals, rows: some, more, reasons: lost.slice(0, most) },
    species: by === 'box' ? headsOf(species, some, most) : [],
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

/** Boxes by species as these are, and within one as they were. */
function inOrderOf(species: FishReport['rows'], found: FishReport['rows']): FishReport['rows'] {
  const place = new Map(species.map(({ name, measure }, i) => [`${measure} ${name}`, i]))
  const placeOf = ({ name, measure }: FishReport['rows'][number]): number =>
    place.get(`${measure} ${name}`) ?? species.length
  return [...found].sort((a, b) => placeOf(a) - placeOf(b))
}

/** Species that are told of above boxes: the first, and those of every box that is shown. */
function headsOf(species: FishReport['rows'], found: FishReport['rows'], most: number): FishReport['rows'] {
  const shown = new Set(found.map(({ name, measure }) => `${measure} ${name}`))
  return species.filter(({ name, measure }, i) => i < most || shown.has(`${measure} ${name}`))
}

/** Reasons that are looked through, the most lost first: they are words that people write. */
const MAX_REASONS = 10_000

/** What was lost of these boxes, by reason, which is the same in capitals. */
async function lostRows(db: Db, from: string, to: string, since: string): Promise<LostRow[]> {
  type Part = { first: number; key: string; name: string; unit: string; times: number[]; lost: number[] }
  const [now, past] = [sql`s.day >= ${since}`, sql`s.day < ${since}`]
  const of = (during: SQL): SQL => sql`coalesce(sum(l.amount) filter (where ${during}), 0)::float8`
  const found = await rows<Part>(
    db,
    sql`select min(l.id) as first, lower(l.reason) as key, (array_agg(l.reason order by l.id))[1] as name, l.unit,
          array[count(*) filter (where ${now}), count(*) filter (where ${past})]::int[] as times,
          array[${of(now)}, ${of(past)}] as lost
        from (select distinct box_id, day from box_sums where day between ${from} and ${to}) s
        join box_losses l on l.box_id = s.box_id
        group by lower(l.reason), l.unit order by sum(l.amount) desc, lower(l.reason), l.unit limit ${MAX_REASONS}`,
  )
  const sums = new Map<string, LostRow>()
  for (const { key, name, unit, times, lost } of found.sort((a, b) => a.first - b.first)) {
    const amounts = lost.map((amount) => measured(amountIn(unit, amount)))
    const measure = amounts[0]?.measure ?? 'pieces'
    const place = `${measure} ${key}`
    const row = sums.get(place)
    const sumOf = (when: 'now' | 'before', i: 0 | 1): LostRow['now'] => ({
      times: (row?.[when].times ?? 0) + (times[i] ?? 0),
      lost: (row?.[when].lost ?? 0) + (amounts[i]?.value ?? 0),
    })
    sums.set(place, {
      key,
      name: row?.name ?? name,
      measure,
      now: sumOf('now', 0),
      before: sumOf('before', 1),
    })
  }
  const order = ({ measure, now }: LostRow): number => (measure === 'grams' ? 1e15 : 0) + now.lost
  return [...sums.values()].sort(
    (a, b) => order(b) - order(a) || b.before.lost - a.before.lost || (a.key < b.key ? -1 : 1),
  )
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

/** The same as a file, in kilograms and pieces, with what all come to; names that look like formulas are made harmless. */
export async function fishFile(deps: FishDeps, query: FishQuery): Promise<{ name: string; lines: [string] }> {
  const report = await readFish(deps, query, MAX_FILE_ROWS)
  const { by, range } = report
  const lines = by === 'reason' ? reasonLines(report) : fishLines(report)
  return { name: `fish-by-${by}-${range.from}-${range.to}.csv`, lines: [lines] }
}

/** What is weighed and what is counted, in all, where there is any. */
const sumsOfAll = ({ totals }: FishReport): FishReport['totals'] =>
  totals
    .filter(({ now, before }) => now.boxes + (before?.boxes ?? 0) > 0)
    .map((total) => ({ ...total, key: 'All', name: 'All' }))

function reasonLines(report: FishReport): string {
  const all = sumsOfAll(report).flatMap(({ name, measure, now, before }) => {
    const some = report.reasons.filter((one) => one.measure === measure)
    const times = (when: 'now' | 'before'): number => some.reduce((sum, one) => sum + one[when].times, 0)
    const sums = {
      now: { times: times('now'), lost: now.lost },
      before: { times: times('before'), lost: before?.lost ?? 0 },
    }
    return some.length === 0 ? [] : [{ name, measure, ...sums }]
  })
  return (
    csvHeader(['reason', 'in', 'times', 'lost', 'times before', 'lost before']) +
    csvRows(
      [...report.reasons, ...all].map(({ name, measure, now, before }) => [
        ...[name, unitOf(measure), now.times, inUnit(now.lost, measure)],
        ...[before.times, inUnit(before.lost, measure)],
      ]),
    )
  )
}

const columns = ['boxes', 'bought', 'sold', 'lost', 'left', 'excellent', 'good', 'useSoon', 'over'] as const
const ofFreshness = ['sold', 'excellent', 'good', 'useSoon', 'over', 'unsaid'] as const
const named: Readonly<Record<string, string>> = {
  useSoon: 'use soon',
  over: 'past its best',
  unsaid: 'not said',
}

/** A cell of a file: kilograms, or pieces. */
const inUnit = (value: number, measure: 'grams' | 'pieces'): number =>
  measure === 'grams' ? value / 1_000 : value
const unitOf = (measure: 'grams' | 'pieces'): string => (measure === 'grams' ? 'kg' : 'pieces')

function fishLines(report: FishReport): string {
  const isBox = report.by === 'box'
  const shown = report.by === 'freshness' ? ofFreshness : columns
  const names = shown.map((name) => named[name] ?? name)
  const head = isBox
    ? ['box', 'species', 'day', 'in', ...names]
    : ['species', 'in', ...names, ...names.map((name) => `${name} before`)]
  const cells = (sums: FishSums, measure: 'grams' | 'pieces'): number[] =>
    shown.map((name) => (name === 'boxes' ? sums[name] : inUnit(sums[name], measure)))
  const lines = [...report.rows, ...sumsOfAll(report)].map(({ key, name, day, measure, now, before }) =>
    isBox
      ? [key, day === undefined ? '' : name, day ?? '', unitOf(measure), ...cells(now, measure)]
      : [name, unitOf(measure), ...cells(now, measure), ...cells(before ?? none(), measure)],
  )
  return csvHeader(head) + csvRows(lines)
}
