import type { z } from 'zod'
import { instantOf, MARKET_TIME_ZONE } from './market-time.ts'

/** Clocks of devices run ahead a little; more than this is the future. */
export const CLOCK_AHEAD_MS = 5 * 60_000
/** Deeper than any schema here, so that a hostile document can't exhaust the stack. */
const MAX_DEPTH = 8

export type Clock = { now: Date; timeZone?: string }

type Path = (string | number)[]

/** Where `value` has a field `time` that lies after the clock. */
function futureTimes(value: unknown, latest: number, timeZone: string, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH) return []
  if (Array.isArray(value))
    return value.flatMap((item, i) => futureTimes(item, latest, timeZone, [...path, i]))
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = [...path, name]
    if (name !== 'time') return futureTimes(inner, latest, timeZone, here)
    const instant = typeof inner === 'string' ? instantOf(inner, timeZone) : undefined
    return instant !== undefined && instant > latest ? [here] : []
  })
}

/**
 * The same schema, refusing every field `time` more than `CLOCK_AHEAD_MS` after the clock, wherever it stands. Told
 * together with other faults, so that a sender sees all at once.
 */
export const notAfter = <S extends z.ZodType>(schema: S, { now, timeZone = MARKET_TIME_ZONE }: Clock): S =>
  schema.superRefine(
    (value, context) => {
      const latest = now.getTime() + CLOCK_AHEAD_MS
      for (const path of futureTimes(value, latest, timeZone))
        context.addIssue({ code: 'custom', path, message: 'must not be in the future' })
    },
    { when: () => true },
  )
