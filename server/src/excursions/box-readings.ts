import type { ExcursionDetail } from '@befaqt/domain/api/excursion-api'
import { newestCorrections } from '@befaqt/domain/box-history'
import { RecordedReading } from '@befaqt/domain/box-records'
import { inTimeOrder } from '@befaqt/domain/cold-chain'
import { DAY_MS, HOUR_MS } from '@befaqt/domain/durations'
import { type LimitPeriod, limitKey } from '@befaqt/domain/excursions'
import { inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Archived, type HistoryDeps, refuseDropped, withArchive } from '#server/boxes/index.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { warmLimitPeriods } from '#server/db/schema/excursions.ts'

/** Records of a box after a place in its history, up to another. */
export type Part = { box: string; after: number; until: number }

type Row = { box: string; seq: number; kind: string; body: string | null }

/** Readings of a box as they are now, in the order of the history: corrected, and without those that were withheld. */
export type BoxReadings = {
  readings: RecordedReading[]
  /** These records hold corrections, perhaps of records before them. */
  hasCorrections: boolean
}

/** The rows of readings and corrections in these parts of histories, by box. */
export async function readTracking(tx: Db | Tx, parts: readonly Part[]): Promise<Map<string, Row[]>> {
  if (parts.length === 0) return new Map()
  const found = await rows<Row>(
    tx,
    sql`select r.box_id as box, r.seq, r.kind, r.body
        from json_to_recordset(${JSON.stringify(parts)}::json) as p(box text, after int, until int)
        join records r on r.box_id = p.box and r.seq > p.after and r.seq <= p.until
        where r.kind in ('tracking', 'correction')
        order by r.box_id, r.seq`,
  )
  return Map.groupBy(found, ({ box }) => box)
}

const Body = z.object({ kind: z.string(), data: z.unknown() })

/** @throws SyntaxError for a damaged row */
const bodyOf = ({ seq, body }: Pick<Row, 'seq' | 'body'>) => ({
  seq,
  ...Body.safeParse(JSON.parse(body ?? 'null')).data,
})

/** What these rows say, by one history or a part of it. @throws SyntaxError for a damaged row */
export function readingsOfRows(found: readonly Row[]): BoxReadings {
  const bodies = found.map(bodyOf)
  const corrected = newestCorrections(bodies)
  const readings = bodies.flatMap(({ seq, kind, data }) => {
    if (kind !== 'tracking') return []
    const parsed = RecordedReading.safeParse(corrected.get(seq)?.data ?? data)
    return parsed.success ? [parsed.data] : []
  })
  return { readings, hasCorrections: corrected.size > 0 }
}

/** What was set for these species and for the shop, and when. */
export async function limitPeriods(db: Db | Tx, species: readonly string[]): Promise<LimitPeriod[]> {
  const keys = ['', ...species.map(limitKey)]
  const found = await db
    .select()
    .from(warmLimitPeriods)
    .where(inArray(warmLimitPeriods.species, [...new Set(keys)]))
  return found.map(({ species, since, degrees, minutes }) => ({
    species,
    since: since.getTime(),
    limit: degrees === null || minutes === null ? null : { degrees, minutes },
  }))
}

/** Time before and after an excursion that its chart shows, and of a long one at most this long from its beginning. */
const AROUND_MS = 6 * HOUR_MS
const MAX_LENGTH_MS = DAY_MS
/** Readings of a chart. */
const MAX_READINGS = 500
/** Readings that are looked at for it: one every five seconds. */
const MAX_ROWS = 100_000

type Around = { boxId: string; since: Date; endedAt: Date | null }
type Measured = { seq: number; body: string | null; time: string | null; temperature: string | null }

/** Readings around the beginning of an excursion, oldest first; of many that are close together, the warmest. */
export const readingsAround = (
  deps: HistoryDeps,
  around: Around,
  timeZone: string,
): Promise<ExcursionDetail['readings']> =>
  withArchive(deps, (archived) => readAround(deps.db, around, timeZone, archived))

async function readAround(
  db: Db,
  { boxId, since, endedAt }: Around,
  timeZone: string,
  archived: Archived = [],
): Promise<ExcursionDetail['readings']> {
  await refuseDropped(db, boxId, archived)
  const first = since.getTime() - AROUND_MS
  const last = Math.min((endedAt?.getTime() ?? Infinity) + AROUND_MS, since.getTime() + MAX_LENGTH_MS)
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  // Times have offsets, or are the market's: their dates are within a day of UTC's.
  const found = await rows<Measured>(
    db,
    sql`select seq, case when kind = 'correction' then body end as body, substring(body, '"time":"([^"]+)"') as time,
          substring(body, '"temperature":([-+.0-9eE]+)') as temperature
        from records
        where box_id = ${boxId} and (kind = 'correction' or kind = 'tracking' and
          substring(body, '"time":"([0-9-]{10})') between ${day(first - DAY_MS)} and ${day(last + DAY_MS)})
        order by seq limit ${MAX_ROWS}`,
  )
  const corrections = found.flatMap(({ seq, body }) => (body === null ? [] : [bodyOf({ seq, body })]))
  const corrected = newestCorrections(corrections)
  const all = [...found, ...archived.flatMap(measuredIn)].sort((a, b) => a.seq - b.seq)
  const measured = all.flatMap(({ seq, body, time, temperature }) => {
    if (body !== null || time === null || temperature === null) return []
    const better = RecordedReading.safeParse(corrected.get(seq)?.data).data
    const { data } = Degrees.safeParse(better ?? { time, temperature: Number(temperature) })
    return data ? [{ ...data, latitude: 0, longitude: 0 }] : []
  })
  const ordered = inTimeOrder(measured, timeZone).filter(({ at }) => at >= first && at <= last)
  const each = Math.max(1, Math.ceil(ordered.length / MAX_READINGS))
  return Array.from({ length: Math.ceil(ordered.length / each) }, (_, i) =>
    ordered
      .slice(i * each, (i + 1) * each)
      .reduce((most, one) => (one.temperature > most.temperature ? one : most)),
  ).map(({ at, temperature }) => ({ at: new Date(at).toISOString(), temperature }))
}

const Degrees = z.object({ time: z.string(), temperature: z.number() })

/** A reading of a file as the statement above finds those of rows. */
const measuredIn = ({ seq, kind, body }: Archived[number]): Measured[] => {
  if (kind !== 'tracking' || body === null) return []
  const [, time = null] = /"time":"([^"]+)"/.exec(body) ?? []
  const [, temperature = null] = /"temperature":([-+.0-9eE]+)/.exec(body) ?? []
  return [{ seq, body: null, time, temperature }]
}
