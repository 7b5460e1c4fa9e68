import { isTimestamp } from './validate.ts'

/** Zone of times without an offset, which are market-local: that of the Sydney Fish Market. */
export const MARKET_TIME_ZONE = 'Australia/Sydney'

/** How late records came under an anchor. Source: protocol §6.5. */
export interface Lateness {
  /** Seconds of the latest record; null when no record's time could be compared. Below 0: dated ahead of its block. */
  readonly largestS: number | null
  /** How many records came more than an hour after what they record. */
  readonly overAnHour: number
}

/** The latest of these, and how many are late. null is a record whose time could not be compared. */
export function latenessOf(seconds: readonly (number | null)[]): Lateness {
  const known = seconds.filter((each) => each !== null)
  return {
    largestS: known.reduce<number | null>(
      (most, each) => (most === null ? each : Math.max(most, each)),
      null,
    ),
    overAnHour: known.filter((each) => each > HOUR_S).length,
  }
}

const HOUR_S = 3_600
/** A clock may be that much ahead of the chain's. */
const AHEAD_S = 300

/** Is this record dated further ahead of its block than clocks differ? Source: protocol §6.5. */
export const isDatedAhead = (latenessS: number): boolean => latenessS < -AHEAD_S

/**
 * Seconds from a record's time to a block's, whole ones, rounded down: answers a function of both. Negative when the
 * record is dated after the block.
 * @param timeZone of times without offset. One that a change of clocks skips counts by the offset before the change;
 *   one that comes twice is the first.
 * @throws RangeError when there is no such zone
 */
export function latenessIn(timeZone: string): (at: string, blockTimeS: number) => number | null {
  const offsetAt = offsetsOf(timeZone)
  const instantOfClock = (clock: number): number => {
    const before = clock - offsetAt(clock - DAY_MS)
    const after = clock - offsetAt(clock + DAY_MS)
    const fits = (instant: number): boolean => instant + offsetAt(instant) === clock
    return fits(before) || !fits(after) ? before : after
  }
  return (at, blockTimeS) => {
    if (!isTimestamp(at)) return null
    const clock = clockOf(at)
    const offset = offsetIn(at)
    const instant = offset === null ? instantOfClock(clock) : clock - offset
    return Math.floor(blockTimeS - instant / 1000)
  }
}

/** Whole seconds since 1970 of a record's time, as if a time without an offset were UTC: right to within a day. */
export const roughSeconds = (at: string): number => Math.floor((clockOf(at) - (offsetIn(at) ?? 0)) / 1000)

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/**
 * Date and time of day, which both forms write in the same places, as if they were UTC. Second 60 is the next minute's
 * first.
 */
function clockOf(at: string): number {
  const part = (start: number, end: number): number => Number(at.slice(start, end))
  const date = new Date(0)
  date.setUTCFullYear(part(0, 4), part(5, 7) - 1, part(8, 10)) // Date.UTC takes years below 100 for others
  date.setUTCHours(part(11, 13), part(14, 16), part(17, 19), Math.floor(fractionOf(at) * 1000))
  return date.getTime()
}

const fractionOf = (at: string): number => Number(/\.\d+/.exec(at)?.[0] ?? 0)

/** Milliseconds that an RFC 3339 time is ahead of UTC; null for a market-local one, which does not say. */
function offsetIn(at: string): number | null {
  if (/[zZ]$/.test(at)) return 0
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(at) ?? []
  if (sign === undefined) return null
  const offset = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS
  return sign === '-' ? -offset : offset
}

/** Clocks change on quarter hours: one answer serves a quarter. */
const SLOT_MS = 15 * MINUTE_MS

/** What a zone's clocks are ahead of UTC at an instant, in milliseconds. */
function offsetsOf(timeZone: string): (instant: number) => number {
  const format = formatOf(timeZone)
  const known = new Map<number, number>()
  return (instant) => {
    const slot = Math.floor(instant / SLOT_MS)
    const offset = known.get(slot) ?? readOffset(format, slot * SLOT_MS)
    known.set(slot, offset)
    return offset
  }
}

/** One for each zone: to make one takes longer than to check a small bundle. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  formats.set(timeZone, format)
  return format
}

/** The name of the zone is `GMT` or like `GMT+10:30`. */
function readOffset(format: Intl.DateTimeFormat, instant: number): number {
  const name = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const offset = offsetIn(name)
  return offset ?? 0
}
