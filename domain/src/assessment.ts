import type { Box, FreshnessEntry, SensorResult } from './box.ts'
import { freshnessIndex, type Scores, sensorScore } from './freshness.ts'
import { instantOf } from './market-time.ts'
import { inTimeOrder, intervals, isSilence, type Reading, usualInterval } from './readings.ts'

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
