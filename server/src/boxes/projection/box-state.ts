import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { BoxMetrics } from '@befaqt/domain/api/box-api'
import type { CatchProv, FreshnessEntry, SensorResult, TrackingReading } from '@befaqt/domain/box'
import { probesOf } from '@befaqt/domain/box-history'
import { isPlaced, metricsFrom, speciesCaught, stageAt } from '@befaqt/domain/box-metrics'
import { recordReader } from '@befaqt/domain/box-records'
import { assessScores, Newest, newest } from '@befaqt/domain/freshness'
import { IncrementalMetrics } from '@befaqt/domain/incremental-metrics'
import { instantOf } from '@befaqt/domain/market-time'
import type { Place } from '@befaqt/domain/place'
import { NOBODY, type StoredRecord } from '@befaqt/domain/rebuild-box'
import { shelfLifeOf } from '@befaqt/domain/species'
import { type Measured, type TimeLeft, timeLeftAfter } from '@befaqt/domain/time-left'
import type { BoxRecord } from '@befaqt/provenance'
import {
  type Archived,
  type BoxRow,
  type RecordRow,
  readableRecord,
  readRecordsBetween,
} from '#server/boxes/read-records.ts'
import type { Db } from '#server/db/client.ts'
import {
  type BoxSummary,
  MAX_ALERTS,
  type Market,
  placeOfCatch,
  silentAfter,
  summaryFrom,
  traderName,
} from './box-summary.ts'
import { isOffshore } from './coastline.ts'

/** What a history says that readings do not change. Scores: the newest, null where there is none. */
type SteadyFacts = {
  trader: string
  catchProv: CatchProv | null
  /** Where the catch is, in words. */
  catchPlace: string | null
  submittedScore: number | null
  imageScore: number | null
  noseScore: number | null
  /** What probes showed at hand-overs. */
  probes: readonly Measured[]
}

/** Bytes of a box without readings, about. */
const EMPTY_BYTES = 3_072

/**
 * What the records of a box add up to: equal to what `summaryOf`, `boxMetrics`, `sensorResultOf` and `assess` make of
 * its whole history, and kept up to date as readings and freshness records follow. Any other record makes it out of date.
 */
export class BoxState {
  readonly #facts: SteadyFacts
  readonly #market: Market
  readonly #readings: IncrementalMetrics
  readonly #place: Newest<Place>
  readonly #newest: Newest<TrackingReading>
  readonly #freshness: Newest<number>

  constructor(facts: SteadyFacts, market: Market) {
    this.#facts = facts
    this.#market = market
    const { timeZone } = market
    const at = facts.catchProv === null ? undefined : instantOf(facts.catchProv.time, timeZone)
    const kind = speciesCaught(facts.catchProv)?.kind ?? 'temperate'
    this.#readings = new IncrementalMetrics(timeZone, at === undefined ? undefined : { at, kind })
    this.#place = new Newest(timeZone)
    this.#newest = new Newest(timeZone)
    this.#freshness = new Newest(timeZone)
  }

  /** Of times without an offset. */
  get timeZone(): string {
    return this.#market.timeZone
  }

  /** Bytes that this takes, about. */
  get bytes(): number {
    return EMPTY_BYTES + this.#readings.bytes
  }

  /** Adds readings in the order of the history. */
  addReadings(readings: readonly TrackingReading[]): void {
    this.#readings.add(readings)
    for (const reading of readings) {
      const { time, latitude, longitude } = reading
      this.#newest.add(time, reading)
      if (isPlaced(reading)) this.#place.add(time, { latitude, longitude })
    }
  }

  addFreshness({ time, freshnessIndex }: FreshnessEntry): void {
    this.#freshness.add(time, freshnessIndex)
  }

  /** As `assess`. */
  assess(time: string): FreshnessEntry | null {
    const { submittedScore, imageScore, noseScore } = this.#facts
    return assessScores(
      { iot: this.#readings.sensorScore() ?? submittedScore, img: imageScore, nose: noseScore },
      time,
    )
  }

  /** As `summaryOf`. */
  summary(): BoxSummary {
    const { trader, catchProv, catchPlace } = this.#facts
    return summaryFrom({
      trader,
      catchProv,
      timeZone: this.#market.timeZone,
      catchPlace,
      stage: stageAt(this.#place.value, catchProv, this.#market, isOffshore),
      alerts: this.#readings.alerts(MAX_ALERTS),
      silentAfter: silentAfter(this.#readings.lastAt(), this.#readings.usualInterval()),
      figures: this.figures(),
    })
  }

  /** As `boxMetrics`. */
  figures(): BoxMetrics {
    return metricsFrom({
      catchProv: this.#facts.catchProv,
      freshnessIndex: this.#freshness.value ?? null,
      timeLeft: this.#timeLeft(),
      coldChain: this.#readings.coldChain(),
      lastReading: this.#lastReading(),
      probes: this.#facts.probes,
    })
  }

  /** As `sensorResultOf`. */
  sensorResult(): SensorResult | null {
    const last = this.#newest.value
    const iotScore = this.#readings.sensorScore()
    if (last === undefined || iotScore === null) return null
    const { latitude, longitude } = this.#place.value ?? last
    const confidence = this.#readings.heardShare()
    return { operator: last.iotID, iotScore, confidence, time: last.time, latitude, longitude }
  }

  #lastReading(): Measured | undefined {
    const [at, temperature] = [this.#readings.lastAt(), this.#readings.lastTemperature()]
    return at === undefined || temperature === undefined ? undefined : { at, temperature }
  }

  #timeLeft(): TimeLeft {
    const { catchProv } = this.#facts
    const species = speciesCaught(catchProv)
    return timeLeftAfter({
      kind: species?.kind ?? 'temperate',
      shelfLife: species && shelfLifeOf(species),
      hasCatchTime: catchProv !== null && instantOf(catchProv.time, this.#market.timeZone) !== undefined,
      used: this.#readings.daysUsed(),
      lastReadingAt: this.#readings.lastAt(),
      isSuperchilled: this.#readings.isSuperchilled(),
    })
  }
}

/** What is read of a box's row: its records, and whether they are still those that made up this head. */
export type BoxHead = Pick<BoxRow, 'id' | 'count' | 'head' | 'alterations'>

/** Records after which others get their turn. */
const TURN = 250

/** What the records of a box up to its head add up to, from its whole history, read in parts. @throws RowsDropped */
export async function loadState(
  db: Db,
  box: BoxHead,
  market: Market,
  archived?: Archived,
): Promise<BoxState> {
  const history: BoxRecord[] = []
  for (const [i, row] of (await readRecordsAfter(db, box, 0, archived)).entries()) {
    const record = readableRecord(row)
    if (record !== undefined) history.push(record)
    if (i % TURN === TURN - 1) await yieldToEventLoop()
  }
  return stateOf(history, market)
}

/** The records of a box after a place and up to its head, read in parts. @throws RowsDropped */
export async function readRecordsAfter(
  db: Db,
  box: BoxHead,
  after: number,
  archived?: Archived,
): Promise<RecordRow[]> {
  const all: RecordRow[] = []
  for (let last = after; last < box.count; ) {
    const part = await readRecordsBetween(db, box.id, last, box.count, archived)
    if (part.length === 0) break
    all.push(...part)
    last = part.at(-1)?.seq ?? box.count
  }
  return all
}

/** What the readable records of a whole history add up to. */
export async function stateOf(history: readonly StoredRecord[], market: Market): Promise<BoxState> {
  const read = recordReader(history)
  const say = <K extends Parameters<typeof read>[0]>(kind: K) =>
    history.flatMap((record) => read(kind, record)?.data ?? [])
  const catchProv = say('catch').at(-1) ?? null
  const facts = {
    trader: traderName(say('registration').at(-1) ?? NOBODY),
    catchProv,
    catchPlace: await placeOfCatch(catchProv),
    submittedScore: say('sensor-result').at(-1)?.iotScore ?? null,
    imageScore: newest(say('image-result'), market.timeZone)?.imgScore ?? null,
    noseScore: newest(say('enose-result'), market.timeZone)?.noseScore ?? null,
    probes: probesOf(history, market.timeZone),
  }
  const state = new BoxState(facts, market)
  for (let from = 0; from < history.length; from += TURN) {
    addToState(state, history.slice(from, from + TURN), read)
    await yieldToEventLoop()
  }
  return state
}

/** Adds what records say of readings and freshness, in the order of the history. */
export function addToState(
  state: BoxState,
  written: readonly StoredRecord[],
  read: ReturnType<typeof recordReader>,
): void {
  state.addReadings(written.flatMap((record) => read('tracking', record)?.data ?? []))
  for (const record of written) {
    const entry = read('freshness', record)
    if (entry !== undefined) state.addFreshness(entry.data)
  }
}
