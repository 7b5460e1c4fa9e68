import { MAX_REPORT_DAYS } from '@befaqt/domain/api/desk-api'
import { DAY_MS } from '@befaqt/domain/durations'
import { marketDate } from '@befaqt/domain/market-time'
import { daysLater } from '@befaqt/domain/slot-rules'
import { fieldError } from '#server/http/field-error.ts'

export type Range = { from: string; to: string }
export type RangeQuery = { from?: string | undefined; to?: string | undefined }
export type RangeDeps = { now: () => Date; siteFile: { market: { timeZone: string } } }

/** Days of a report of which nothing else is said: four weeks. */
const DAYS = 28

/** Of a range: no shop sold by this before, and dates after the last are written otherwise. */
const [FIRST, LAST] = ['2000-01-01', '2999-12-31']

/** Days from one date to another, both counted. */
const daysOf = ({ from, to }: Range): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1

/** The range that is asked for, and as many days before it. @throws ShopError `input.invalid` */
export function rangesOf(
  { now, siteFile }: RangeDeps,
  query: RangeQuery,
): { days: number; range: Range; before: Range } {
  const to = query.to ?? marketDate(now().getTime(), siteFile.market.timeZone)
  const range = { from: query.from ?? daysLater(to, 1 - DAYS), to }
  if (range.from < FIRST) throw fieldError('from', `must not be before ${FIRST}`)
  if (range.to > LAST) throw fieldError('to', `must not be after ${LAST}`)
  const days = daysOf(range)
  if (days < 1) throw fieldError('to', 'must not be before from')
  if (days > MAX_REPORT_DAYS) throw fieldError('from', `must be at most ${MAX_REPORT_DAYS} days before to`)
  return { days, range, before: { from: daysLater(range.from, -days), to: daysLater(range.to, -days) } }
}

/** A range as whole years, whole months and days, so that few sums are read whatever its length. */
export function periodsOf({ from, to }: Range): string[] {
  const periods: string[] = []
  const after = daysLater(to, 1)
  for (let day = from; day <= to; ) {
    const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
    const nextYear = dateOf(year + 1, 1)
    const nextMonth = month === 12 ? nextYear : dateOf(year, month + 1)
    const [period, next] =
      day.endsWith('-01-01') && nextYear <= after
        ? [day.slice(0, 4), nextYear]
        : day.endsWith('-01') && nextMonth <= after
          ? [day.slice(0, 7), nextMonth]
          : [day, daysLater(day, 1)]
    periods.push(period)
    day = next
  }
  return periods
}

const dateOf = (year: number, month: number): string =>
  `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`
