import { HOUR_MS } from './durations.ts'
import { inTimeOrder, intervals, type Reading } from './readings.ts'

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
