import type { Box, FreshnessEntry, SensorResult } from './box.ts'
import { inTimeOrder, intervals, isSilence, type Reading, usualInterval } from './cold-chain.ts'
import { HOUR_MS } from './durations.ts'
import { STARS } from './freshness-word.ts'
import { instantOf } from './market-time.ts'

/** Degree-hours above 0 °C at which the sensor score is 1, past its best. Source: freshness.md §1. */
const DEGREE_HOURS = 48
const WEIGHTS = { iot: 0.5, img: 0.3, nose: 0.2 } as const
type ScoreName = keyof typeof WEIGHTS

/** Scores from 0 (fresh) to 1; null where there is none. */
export type Scores = { iot: number | null; img: number | null; nose: number | null }

/** The fused index and the weight that each score had in it; weights add up to 1. */
export type Fusion = { index: number; weights: Record<ScoreName, number> }

/** How the sensor score comes about, as pages say it. */
export const sensorScoreFormula = `the sum of degrees above 0 °C times hours, divided by ${DEGREE_HOURS}`

/** Why the index is named for warmth, as pages say it. Source: freshness.md §2. */
export const warmthIndexNote = `It counts warmth alone: at a steady 1 °C the sensor’s score reaches 1 after ${DEGREE_HOURS} h, when a snapper has used 17 % of its time.`

/**
 * Sensor score: degree-hours above 0 °C over `DEGREE_HOURS`, at most 1, from the first reading on. Each interval counts with
 * the temperature at its end. Null without readings. Source: freshness.md §1.
 */
export function sensorScore(readings: readonly Reading[], timeZone: string): number | null {
  const ordered = inTimeOrder(readings, timeZone)
  if (ordered.length === 0) return null
  const degreeHours = intervals(ordered).reduce(
    (sum, { to, ms }) => sum + Math.max(to.temperature, 0) * (ms / HOUR_MS),
    0,
  )
  return scoreOfDegreeHours(degreeHours)
}

/** The sensor score of degree-hours above 0 °C. */
export const scoreOfDegreeHours = (degreeHours: number): number =>
  Math.min(1, sixDecimals(degreeHours / DEGREE_HOURS))

/**
 * Freshness index, 0 (as caught) to 1 (past its best): the scores weighed by `WEIGHTS`, renormalised over
 * the scores that exist. Null without any. Source: freshness.md §1.
 */
export function freshnessIndex(scores: Scores): Fusion | null {
  const names = (Object.keys(WEIGHTS) as ScoreName[]).filter((name) => scores[name] !== null)
  const all = names.reduce((sum, name) => sum + WEIGHTS[name], 0)
  if (all === 0) return null
  const weight = (name: ScoreName): number => (names.includes(name) ? sixDecimals(WEIGHTS[name] / all) : 0)
  const index = names.reduce((sum, name) => sum + (WEIGHTS[name] / all) * (scores[name] ?? 0), 0)
  return {
    index: Math.min(1, sixDecimals(index)),
    weights: { iot: weight('iot'), img: weight('img'), nose: weight('nose') },
  }
}

/** Removes errors of binary fractions, so that 0.25 is recorded as 0.25. */
const sixDecimals = (value: number): number => Math.round(value * 1e6) / 1e6

/** The newest of a list by its time; of two with the same time the later one in the list. */
export function newest<T extends { time: string }>(list: readonly T[], timeZone: string): T | undefined {
  const best = new Newest<T>(timeZone)
  for (const item of list) best.add(item.time, item)
  return best.value
}

/** Incremental `newest`. */
export class Newest<T> {
  readonly #timeZone: string
  #at = Number.NEGATIVE_INFINITY
  /** The newest so far. */
  value: T | undefined

  constructor(timeZone: string) {
    this.#timeZone = timeZone
  }

  add(time: string, value: T): void {
    const at = instantOf(time, this.#timeZone) ?? Number.NEGATIVE_INFINITY
    if (at < this.#at) return
    this.#at = at
    this.value = value
  }
}

/**
 * The sensor result computed from readings, for boxes without a submitted one: score by the formula, confidence as the
 * share of the time without silences, position and time of the newest reading with a position. Null without readings.
 */
export function sensorResultOf(
  readings: readonly (Reading & { iotID: string })[],
  timeZone: string,
): SensorResult | null {
  const last = newest(readings, timeZone)
  const iotScore = sensorScore(readings, timeZone)
  if (last === undefined || iotScore === null) return null
  const placed = newest(
    readings.filter(({ latitude, longitude }) => latitude !== 0 && longitude !== 0),
    timeZone,
  )
  return {
    operator: last.iotID,
    iotScore,
    confidence: heardShare(readings, timeZone),
    time: last.time,
    latitude: placed?.latitude ?? last.latitude,
    longitude: placed?.longitude ?? last.longitude,
  }
}

/** Share of the time from first to last reading in which the sensor was not silent, 0 to 1, three decimals. */
export function heardShare(readings: readonly Reading[], timeZone: string): number {
  const ordered = inTimeOrder(readings, timeZone)
  const usual = usualInterval(ordered)
  const all = intervals(ordered)
  const total = all.reduce((sum, { ms }) => sum + ms, 0)
  const silent = all.filter((one) => isSilence(one, usual)).reduce((sum, { ms }) => sum + ms, 0)
  return shareHeard(total, silent)
}

/** `heardShare` of `total` milliseconds, `silent` of them without readings. */
export const shareHeard = (total: number, silent: number): number =>
  total === 0 ? 0 : Math.round((1 - silent / total) * 1000) / 1000

/**
 * The current freshness entry of a box, from the sensor score of its readings (without any, the submitted one) and the
 * newest image and e-nose scores. Null without any score. Source: freshness.md §1.
 */
export function assess(
  box: Pick<Box, 'iotResult' | 'imageProc' | 'e_nose'>,
  time: string,
  timeZone: string,
): FreshnessEntry | null {
  return assessScores(
    {
      iot: sensorScore(box.iotResult?.iotTracking ?? [], timeZone) ?? box.iotResult?.iotScore ?? null,
      img: newest(box.imageProc, timeZone)?.imgScore ?? null,
      nose: newest(box.e_nose, timeZone)?.noseScore ?? null,
    },
    time,
  )
}

/** The freshness entry of scores; null without any. Source: freshness.md §1. */
export function assessScores(scores: Scores, time: string): FreshnessEntry | null {
  const fusion = freshnessIndex(scores)
  if (fusion === null) return null
  const { iot, img, nose } = fusion.weights
  return { freshnessIndex: fusion.index, time, conf_iot: iot, conf_img: img, conf_enose: nose }
}

/** How stars come about, as pages say it. */
export const starsFormula = `${STARS.from} − ${STARS.per} × index, rounded down, at most ${STARS.most}`
