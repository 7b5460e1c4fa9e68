import { assessScores, Newest } from '@befaqt/domain/assessment'
import type { CatchProv, FreshnessEntry, TrackingReading } from '@befaqt/domain/box'
import type { Place } from '@befaqt/domain/distance'
import { IncrementalMetrics } from '@befaqt/domain/incremental-metrics'
import { instantOf } from '@befaqt/domain/market-time'
import { shelfLifeOf, speciesNamed } from '@befaqt/domain/species'
import { type DaysLeft, daysLeft } from '@befaqt/domain/time-left'
import { isPlaced, stageAt } from '#server/boxes/summary/box-stage.ts'
import type { Market } from '#server/boxes/summary/write-summary.ts'
import { type BoxSummary, MAX_ALERTS, silentAfter, summaryFrom } from '#server/boxes/summary/write-summary.ts'

/** What a history says that readings do not change. Scores: the newest, null where there is none. */
export type SteadyFacts = {
  trader: string
  catchProv: CatchProv | null
  /** Where the catch is, in words. */
  catchPlace: string | null
  submittedScore: number | null
  imageScore: number | null
  noseScore: number | null
}

/** Bytes of a box without readings, about. */
const EMPTY_BYTES = 3_072

/**
 * What the records of a box add up to: equal to what `summaryOf` and `assess` make of its whole history, and kept up
 * to date as readings and freshness records follow. Any other record makes it out of date.
 */
export class BoxState {
  readonly #facts: SteadyFacts
  readonly #market: Market
  readonly #readings: IncrementalMetrics
  readonly #place: Newest<Place>
  readonly #freshness: Newest<number>

  constructor(facts: SteadyFacts, market: Market) {
    this.#facts = facts
    this.#market = market
    const { timeZone } = market
    const at = facts.catchProv === null ? undefined : instantOf(facts.catchProv.time, timeZone)
    const kind = speciesOf(facts)?.kind ?? 'temperate'
    this.#readings = new IncrementalMetrics(timeZone, at === undefined ? undefined : { at, kind })
    this.#place = new Newest(timeZone)
    this.#freshness = new Newest(timeZone)
  }

  /** Bytes that this takes, about. */
  get bytes(): number {
    return EMPTY_BYTES + this.#readings.bytes
  }

  /** Adds readings in the order of the history. */
  addReadings(readings: readonly TrackingReading[]): void {
    this.#readings.add(readings)
    for (const { time, latitude, longitude } of readings)
      if (isPlaced({ latitude, longitude })) this.#place.add(time, { latitude, longitude })
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
      stage: stageAt(this.#place.value, catchProv, this.#market),
      alerts: this.#readings.alerts(MAX_ALERTS),
      silentAfter: silentAfter(this.#readings.lastAt(), this.#readings.usualInterval()),
      freshnessIndex: this.#freshness.value ?? null,
      onIce: this.#onIce(),
    })
  }

  #onIce(): DaysLeft | undefined {
    const species = speciesOf(this.#facts)
    const shelfLife = species && shelfLifeOf(species)
    const used = this.#readings.daysUsed()
    if (species === undefined || shelfLife === undefined || used === null) return undefined
    return this.#readings.isSuperchilled() ? undefined : daysLeft(shelfLife.daysAt0, used, species.kind, 0)
  }
}

const speciesOf = ({ catchProv }: SteadyFacts) =>
  catchProv === null ? undefined : speciesNamed(catchProv.species)
