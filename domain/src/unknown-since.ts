import type { FreshnessNow } from './api/box-api.ts'
import { dayText } from './day-text.ts'
import { daysBetween } from './durations.ts'
import { clockText } from './moment-text.ts'
import { celsius } from './tracking.ts'

/**
 * What is said of a box that was warm when its sensor fell silent: 'unknown since Mon 4:33 am, last 18 °C'; of more than
 * six days ago with the date. Source: freshness.md §2.
 * @param today date in market time, `YYYY-MM-DD`
 */
export function unknownSince(
  { at, temperature }: NonNullable<FreshnessNow['unknown']>,
  today: string,
): string {
  const day = dayText(at.slice(0, 10))
  const isNear = Math.abs(daysBetween(at.slice(0, 10), today)) < 7
  const since = isNear ? day.slice(0, 3) : `${day},`
  return `unknown since ${since} ${clockText(at.slice(11))}, last ${tenths(temperature)}`
}

/** '3.3 °C': a temperature as sentences have it. */
export const tenths = (degrees: number): string => celsius(Math.round(degrees * 10) / 10)
