import { instantOf } from './market-time.ts'
import type { Measured } from './time-left.ts'

/** A record as far as probes need it. */
type Readable = { readonly kind: string; readonly data?: unknown }

/**
 * What probes showed when a box was handed over, in the order of the history: those of hand-overs that were accepted and
 * in which somebody measured. No schema here, since browsers run it: a record that is not one of a hand-over says
 * nothing.
 * @param timeZone of times without an offset
 */
export function probesOf(records: readonly Readable[], timeZone: string): Measured[] {
  return records.flatMap(({ kind, data }) => {
    if (kind !== 'handover' || typeof data !== 'object' || data === null) return []
    if (!('accepted' in data && data.accepted === true && 'time' in data && 'temperature' in data)) return []
    const { time, temperature } = data
    const at = typeof time === 'string' ? instantOf(time, timeZone) : undefined
    return at === undefined || typeof temperature !== 'number' || !Number.isFinite(temperature)
      ? []
      : [{ at, temperature }]
  })
}
