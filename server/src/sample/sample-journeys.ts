import type { Box } from '@befaqt/domain/box'
import { MINUTE_MS } from '@befaqt/domain/durations'
import { marketTime } from '@befaqt/domain/market-time'
import { and, asc, count, eq, like, not } from 'drizzle-orm'
import { addRecords } from '#server/boxes/records/add-records.ts'
import { importBox } from '#server/boxes/records/import-box.ts'
import { changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import type { Config } from '#server/config/config.ts'
import type { Db } from '#server/db/client.ts'
import { boxes, records } from '#server/db/schema/boxes.ts'
import { ingestReadings } from '#server/ingestion/ingest-readings.ts'
import type { StoringDeps } from '#server/ingestion/store-readings.ts'
import { enqueue, nextRun } from '#server/jobs/queue.ts'
import type { JobHandler } from '#server/jobs/run.ts'

export const JOURNEY_QUEUE = 'sample.journeys'

/** Between two runs of the job. */
const PERIOD_MS = MINUTE_MS
/** The interval between two readings of a box, and how long its journey takes, both in real time. */
const INTERVAL_MS = 5 * MINUTE_MS
const JOURNEY_MS = 24 * 60 * MINUTE_MS
const READINGS = JOURNEY_MS / INTERVAL_MS + 1
/** At most so many journeys in a shop, and none begins later than this after the first: records are never deleted. */
const MAX_JOURNEYS = 500
const MAX_TIME_MS = 30 * JOURNEY_MS

const PREFIX = 'SIMULATED-'
const SPECIES = ['Snapper', 'Dusky Flathead', 'Yellowtail Kingfish', 'Sand Whiting', 'Blue Mackerel'] as const
const WHO = 'Simulated (sample)'
const END = 'The simulated journey ended here.'

type JourneyDeps = StoringDeps & { config: Pick<Config, 'SAMPLE_JOURNEYS'> }

/** Schedules the next run, one for all processes. */
export const scheduleJourneys = (db: Db, now: Date): Promise<void> =>
  enqueue(db, JOURNEY_QUEUE, {}, nextRun(now, PERIOD_MS))

/** The job: plays what is due, and schedules the next run until the last journey has ended. */
export const playJourneysJob =
  (deps: JourneyDeps): JobHandler =>
  async (_payload, signal) => {
    if (deps.config.SAMPLE_JOURNEYS === 0) return
    if (await playJourneys(deps, signal)) await scheduleJourneys(deps.db, new Date(deps.now().getTime() + 1))
    else deps.log.info({}, 'the journeys of the sample shop have ended')
  }

type Journey = { id: string; startedAt: number; sealed: boolean }

/**
 * Brings every simulated box to where it would be now, seals those that have arrived, and lets others begin, as many at
 * once as the setting says. Run again at the same moment, it does nothing. A shop without sample data is left alone.
 * @returns whether there is more to come
 */
export async function playJourneys(deps: JourneyDeps, signal?: AbortSignal): Promise<boolean> {
  if (!(await isSampleShop(deps.db))) return true // it may still be filled
  const now = deps.now().getTime()
  const journeys = await beginDue(deps, await readJourneys(deps.db), now)
  for (const journey of journeys.filter(({ sealed }) => !sealed)) {
    signal?.throwIfAborted()
    await goOn(deps, journey, now)
  }
  return mayBegin(journeys, now) || journeys.some(({ startedAt }) => startedAt + JOURNEY_MS > now)
}

const isJourney = and(eq(boxes.sample, true), like(boxes.id, `${PREFIX}%`))

/** Was this shop filled with sample data? What is simulated never comes among the boxes of another. */
async function isSampleShop(db: Db): Promise<boolean> {
  const found = await db
    .select({ id: boxes.id })
    .from(boxes)
    .where(and(eq(boxes.sample, true), not(like(boxes.id, `${PREFIX}%`))))
    .limit(1)
  return found.length > 0
}

async function readJourneys(db: Db): Promise<Journey[]> {
  const found = await db
    .select({ id: boxes.id, caughtAt: boxes.caughtAt, sealed: boxes.sealed })
    .from(boxes)
    .where(isJourney)
    .orderBy(asc(boxes.id))
  return found.map(({ id, caughtAt, sealed }) => ({ id, startedAt: caughtAt?.getTime() ?? 0, sealed }))
}

const mayBegin = (journeys: readonly Journey[], now: number): boolean =>
  journeys.length < MAX_JOURNEYS && now - (journeys[0]?.startedAt ?? now) < MAX_TIME_MS

/** Begins journeys, evenly over a day; the first ones as if they had begun over the last day. */
async function beginDue(deps: JourneyDeps, journeys: Journey[], now: number): Promise<Journey[]> {
  const apart = JOURNEY_MS / deps.config.SAMPLE_JOURNEYS
  const all = [...journeys]
  const second = Math.floor(now / 1000) * 1000
  for (;;) {
    const last = all.at(-1)
    const earliest = second - JOURNEY_MS + apart
    const startedAt = last === undefined ? earliest : Math.max(earliest, last.startedAt + apart)
    if (startedAt > now || !mayBegin(all, now)) return all
    const id = `${PREFIX}${String(all.length + 1).padStart(4, '0')}`
    await begin(deps, id, startedAt)
    all.push({ id, startedAt, sealed: false })
  }
}

const indexOf = (id: string): number => Number(id.slice(PREFIX.length)) - 1

async function begin(deps: JourneyDeps, boxID: string, startedAt: number): Promise<void> {
  const { market } = deps.siteFile
  const index = indexOf(boxID)
  const { latitude, longitude } = simulatedReading(index, 0)
  const time = marketTime(startedAt, market.timeZone)
  const box: Box = {
    boxID,
    fisher: { traderID: WHO, traderName: WHO, companyName: WHO, boat: WHO, address: '' },
    catchProv: {
      time,
      boat: WHO,
      latitude,
      longitude,
      locationCodeLat: latitude,
      locationCodeLong: longitude,
      method: 'line',
      img: '',
      species: SPECIES[index % SPECIES.length] ?? SPECIES[0],
      size: '40 cm',
      note: 'A simulated catch.',
    },
    iotResult: null,
    imageProc: [],
    e_nose: [],
    freshness: [],
  }
  const more = { by: 'sample', now: new Date(startedAt), market, sample: true }
  await changeCatalogue(
    deps,
    (tx) => importBox(tx, box, more),
    () => false,
  )
}

/** Adds the readings that are due, and the seal when the last of them is there. */
async function goOn(deps: JourneyDeps, { id, startedAt }: Journey, now: number): Promise<void> {
  const [stored] = await deps.db
    .select({ readings: count() })
    .from(records)
    .where(and(eq(records.boxId, id), eq(records.kind, 'tracking')))
  const sent = stored?.readings ?? 0
  const due = Math.min(READINGS, Math.floor((now - startedAt) / INTERVAL_MS) + 1)
  const inputs = Array.from({ length: Math.max(0, due - sent) }, (_, i) => readingOf(id, startedAt, sent + i))
  const submissions = inputs.map((input) => ({ input }))
  const outcomes = (await ingestReadings(deps, submissions)).flat()
  const wrong = outcomes.find((outcome) => typeof outcome !== 'string')
  if (wrong !== undefined) throw wrong instanceof Error ? wrong : new Error(JSON.stringify(wrong))
  if (due === READINGS) await seal(deps, id)
}

function readingOf(box: string, startedAt: number, n: number) {
  const { temperature, latitude, longitude } = simulatedReading(indexOf(box), n / (READINGS - 1))
  const time = new Date(startedAt + n * INTERVAL_MS).toISOString()
  return { box, iotID: `${box}-logger`, time, latitude, longitude, temperature }
}

function seal(deps: JourneyDeps, boxID: string): Promise<unknown> {
  const at = marketTime(deps.now().getTime(), deps.siteFile.market.timeZone)
  const fact = { kind: 'seal' as const, at, by: 'sample', data: { reason: END }, changesFreshness: false }
  return changeCatalogue(
    deps,
    (tx) => addRecords(tx, deps, boxID, [fact]),
    ({ onCards }) => onCards,
  )
}

/** What a simulated logger measures at a moment of its journey. */
type SimulatedReading = { temperature: number; latitude: number; longitude: number; battery: number }

const HOUR = 1 / 24
/** Fishing grounds off New South Wales, the harbour, the market. Degrees. */
const GROUNDS = [
  [-33.98, 152.32],
  [-32.71, 152.9],
  [-35.41, 151.1],
  [-34.52, 151.62],
] as const
const HARBOUR = [-33.855, 151.205] as const
const MARKET = [-33.8725, 151.1925] as const
/** Shares of the journey that end with the landing, and with the arrival at the market. */
const LANDED = 0.7
const ARRIVED = 0.85

/** A number from 0 to 1 that looks random and is always the same. Source: the fractional part of a large sine. */
const noise = (seed: number): number => {
  const value = Math.sin(seed * 12.9898 + 78.233) * 43_758.5453
  return value - Math.floor(value)
}

const between = (from: readonly [number, number], to: readonly [number, number], part: number) =>
  [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part] as const

/**
 * The reading of a box at a part of its journey, from 0 (caught) to 1: cooled within hours, at sea, on the road, at the
 * market; every fifth box has its lid open for a while. The same box and moment give the same.
 * @param box number of the box, from 0
 */
export function simulatedReading(box: number, part: number): SimulatedReading {
  const ground = GROUNDS[box % GROUNDS.length] ?? GROUNDS[0]
  const start = [ground[0] + noise(box) / 5, ground[1] + noise(box + 0.5) / 5] as const
  const place =
    part < LANDED
      ? between(start, HARBOUR, part / LANDED)
      : between(HARBOUR, MARKET, Math.min(1, (part - LANDED) / (ARRIVED - LANDED)))
  const cooling = 16 * Math.exp(-part / (1.5 * HOUR))
  const isOpen = box % 5 === 4 && part > 0.55 && part < 0.6
  const wobble = (noise(box * 1_000 + part * 997) - 0.5) * 0.6
  const temperature = 0.8 + cooling + wobble + (isOpen ? 6.5 : 0)
  return {
    temperature: Math.round(temperature * 100) / 100,
    latitude: Math.round(place[0] * 1e5) / 1e5,
    longitude: Math.round(place[1] * 1e5) / 1e5,
    battery: Math.round(98 - 20 * part - 10 * noise(box + 7)),
  }
}
