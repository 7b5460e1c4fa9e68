import type { z } from 'zod'
import { DAY_MS, MINUTE_MS } from './durations.ts'

/**
 * The zone of Sydney's market, used by the sample boxes. A shop's own is in site.json; functions take it as an argument.
 * Source: product.md.
 */
export const MARKET_TIME_ZONE = 'Australia/Sydney'

const MARKET_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|([+-])(\d\d):(\d\d))$/

/** Is this `YYYY-MM-DD HH:MM:SS`, the specification's format, with a valid date and time? */
export const isMarketTime = (text: string): boolean => marketClock(text) !== undefined

/**
 * Milliseconds since 1970 of a record's time: `YYYY-MM-DD HH:MM:SS` in market time, or RFC 3339 with offset; undefined
 * for anything else. A market time that daylight saving skips is read with the offset before the change (02:30 becomes
 * 03:30); of an ambiguous one the first is taken. Parts below 1 ms are dropped.
 */
export function instantOf(text: string, timeZone: string): number | undefined {
  const clock = marketClock(text)
  return clock === undefined ? rfc3339Instant(text) : instantOfClock(clock, timeZone)
}

/** Is this a market time that daylight saving skips? */
export function isSkippedTime(text: string, timeZone: string): boolean {
  const clock = marketClock(text)
  if (clock === undefined) return false
  const instant = instantOfClock(clock, timeZone)
  return instant + offsetAt(instant, timeZone) !== clock
}

/** Market time of an instant, in the specification's format: `YYYY-MM-DD HH:MM:SS`. */
export const marketTime = (instant: number, timeZone: string): string =>
  new Date(instant + offsetAt(instant, timeZone)).toISOString().slice(0, 19).replace('T', ' ')

/** The date in market time of an instant, `YYYY-MM-DD`. */
export const marketDate = (instant: number, timeZone: string): string =>
  new Date(instant + offsetAt(instant, timeZone)).toISOString().slice(0, 10)

/**
 * A record's time as pages show it: date, then HH:MM in market time. One that daylight saving skips is shown as the
 * clock showed it; text that is not a time is returned unchanged. Source: spec §9.
 */
export function shownTime(text: string, timeZone: string): { date: string; time: string } {
  const asWritten = isMarketTime(text) && !isSkippedTime(text, timeZone)
  const instant = asWritten ? undefined : instantOf(text, timeZone)
  const shown = instant === undefined ? text : marketTime(instant, timeZone)
  return isMarketTime(shown)
    ? { date: shown.slice(0, 10), time: shown.slice(11, 16) }
    : { date: text, time: '' }
}

/** Local time as if it were UTC, in milliseconds. */
const marketClock = (text: string): number | undefined =>
  MARKET_TIME.test(text) ? clockOf(text, 59) : undefined

/** Date and time of day, at the same positions in both formats. Parsed digit by digit for speed: boxes have thousands. */
const clockOf = (text: string, lastSecond: number): number | undefined =>
  clockAt(
    digits(text, 0, 4),
    digits(text, 5, 7),
    digits(text, 8, 10),
    digits(text, 11, 13),
    digits(text, 14, 16),
    digits(text, 17, 19),
    lastSecond,
  )

function clockAt(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  lastSecond: number,
): number | undefined {
  const exists = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
  if (!exists || hour > 23 || minute > 59 || second > lastSecond) return undefined
  // Date.UTC reads the years 0 to 99 as 1900 to 1999; the calendar is the same 400 years later.
  return Date.UTC(year + 400, month - 1, day, hour, minute, second) - 400 * YEAR_MS
}

/** Mean length of a year: 400 of them are 146,097 days. */
const YEAR_MS = 365.2425 * DAY_MS
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const daysIn = (year: number, month: number): number =>
  month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : (DAYS[month - 1] ?? 0)

/** The number of the decimal digits from `start` to before `end`. */
function digits(text: string, start: number, end: number): number {
  let number = 0
  for (let i = start; i < end; i++) number = number * 10 + text.charCodeAt(i) - 48
  return number
}

/** Second 60 is a leap second and counts as the next minute's first. Source: RFC 3339 §5.6, §5.7. */
function rfc3339Instant(text: string): number | undefined {
  const match = RFC_3339.exec(text)
  if (match === null) return undefined
  const clock = clockOf(text, 60)
  const [, fraction = '0', , sign = '+', hours = '0', minutes = '0'] = match
  if (clock === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined
  const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
  return clock + Math.floor(Number(fraction) * 1000) - (sign === '-' ? -offset : offset)
}

function instantOfClock(clock: number, timeZone: string): number {
  const before = clock - offsetAt(clock - DAY_MS, timeZone)
  const after = clock - offsetAt(clock + DAY_MS, timeZone)
  const fits = (instant: number): boolean => instant + offsetAt(instant, timeZone) === clock
  return fits(before) || !fits(after) ? before : after
}

const SLOT_MS = 15 * MINUTE_MS
const MAX_SLOTS = 4_096

type Zone = { format: Intl.DateTimeFormat; offsets: Map<number, number> }
const zones = new Map<string, Zone>()

function zoneOf(timeZone: string): Zone {
  const known = zones.get(timeZone)
  if (known !== undefined) return known
  const part = '2-digit'
  const format = new Intl.DateTimeFormat('en-AU', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: part,
    day: part,
    hour: part,
    minute: part,
    second: part,
  })
  const zone = { format, offsets: new Map<number, number>() }
  zones.set(timeZone, zone)
  return zone
}

/**
 * A zone's offset from UTC at an instant, in milliseconds. Offsets change on quarter hours (since 1970, all zones), so
 * one is cached per quarter hour: a box of 10,000 readings needs 30,000.
 */
function offsetAt(instant: number, timeZone: string): number {
  const { format, offsets } = zoneOf(timeZone)
  const slot = Math.floor(instant / SLOT_MS)
  const known = offsets.get(slot)
  if (known !== undefined) return known
  const offset = readOffset(format, slot * SLOT_MS)
  if (offsets.size >= MAX_SLOTS) offsets.clear()
  offsets.set(slot, offset)
  return offset
}

function readOffset(format: Intl.DateTimeFormat, instant: number): number {
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? -1
  const [year, month, day] = [part('year'), part('month'), part('day')]
  const clock = clockAt(year, month, day, part('hour'), part('minute'), part('second'), 59)
  return clock === undefined || year < 0 ? 0 : clock - instant
}

/** Tolerance for device clocks that run ahead. */
export const CLOCK_AHEAD_MS = 5 * 60_000
/** Deeper than any schema here; a limit, so that a hostile document can't exhaust the stack. */
const MAX_DEPTH = 8

/** The current time, and the market's zone, for times without an offset. */
export type Clock = { now: Date; timeZone: string }

type Path = (string | number)[]

/** The error of a field `time`, and its path. */
type WrongTime = { path: Path; message: string }

function wrongTimes(value: unknown, latest: number, timeZone: string, path: Path = []): WrongTime[] {
  if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH) return []
  if (Array.isArray(value))
    return value.flatMap((item, i) => wrongTimes(item, latest, timeZone, [...path, i]))
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = [...path, name]
    if (name !== 'time') return wrongTimes(inner, latest, timeZone, here)
    const message = typeof inner === 'string' ? timeError(inner, latest, timeZone) : undefined
    return message === undefined ? [] : [{ path: here, message }]
  })
}

function timeError(time: string, latest: number, timeZone: string): string | undefined {
  if (isSkippedTime(time, timeZone))
    return `must be a time that exists: clocks in ${timeZone} went forward over this one`
  const instant = instantOf(time, timeZone)
  return instant !== undefined && instant > latest ? 'must not be in the future' : undefined
}

/**
 * The same schema, rejecting every field `time`, at any depth, that is more than `CLOCK_AHEAD_MS` after the clock, or
 * that daylight saving skips. Reported together with the schema's other errors.
 */
export const rejectFutureTimes = <S extends z.ZodType>(schema: S, { now, timeZone }: Clock): S =>
  schema.superRefine(
    (value, context) => {
      const latest = now.getTime() + CLOCK_AHEAD_MS
      for (const { path, message } of wrongTimes(value, latest, timeZone))
        context.addIssue({ code: 'custom', path, message })
    },
    { when: () => true },
  )
