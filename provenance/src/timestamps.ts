const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:[Zz]|[+-](\d\d):(\d\d))$/
const MARKET_LOCAL = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/

/**
 * Is this a time as a record may give it: RFC 3339 with offset, or market-local `YYYY-MM-DD HH:MM:SS`, on a day
 * that exists? Source: protocol §1, RFC 3339 §5.6 and §5.7 (second 60 only with an offset, for leap seconds).
 */
export function isTimestamp(text: string): boolean {
  const local = MARKET_LOCAL.exec(text)
  const parts = (local ?? RFC_3339.exec(text))?.slice(1).map((part) => Number(part ?? 0))
  if (parts === undefined) return false
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, offsetHour = 0, offsetMinute = 0] =
    parts
  const dayExists = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
  const offsetExists = offsetHour <= 23 && offsetMinute <= 59
  return dayExists && hour <= 23 && minute <= 59 && second <= (local === null ? 60 : 59) && offsetExists
}

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  if (month === 2) return leap ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** A block's time, whole seconds since 1970 (UTC), as bundles write it: `2026-11-21T01:02:03Z`. */
export const blockTimeText = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/** Seconds since 1970 of a bundle's block time; undefined unless it is written exactly as `blockTimeText` does. */
export function blockTimeSeconds(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return undefined
  const seconds = Date.parse(text) / 1000
  return Number.isSafeInteger(seconds) && blockTimeText(seconds) === text ? seconds : undefined
}
