import type { z } from 'zod'
import { instantOf, isSkippedTime } from './market-time.ts'

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
