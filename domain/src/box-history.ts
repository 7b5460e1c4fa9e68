import { instantOf } from './market-time.ts'
import type { Measured } from './time-left.ts'

/** What determines whether a record corrects another. `data` is validated again: it may be tampered with. */
type MaybeCorrection = { seq: number; kind?: string; data?: unknown }

/** A correction: its place in the history, and the payload that takes the place of the corrected record's. */
export type Correction = { seq: number; data: unknown }

/** The newest correction of each corrected record, by that record's place. Source: running.md. */
export function newestCorrections(records: readonly MaybeCorrection[]): Map<number, Correction> {
  const newest = new Map<number, Correction>()
  for (const { seq, kind, data } of records) {
    if (kind !== 'correction' || typeof data !== 'object' || data === null) continue
    if ('corrects' in data && 'data' in data && typeof data.corrects === 'number')
      newest.set(data.corrects, { seq, data: data.data })
  }
  return newest
}

/**
 * Kinds of records whose `by` is the account or key that made them, written as in the audit log. In other kinds `by`
 * comes from the submitted data.
 */
export const kindsByAccount = [
  'freshness',
  'handover',
  'sale',
  'loss',
  'recall',
  'weight',
  'correction',
  'seal',
] as const

/** A record as far as probes need it. */
type Probed = { readonly kind: string; readonly data?: unknown }

/**
 * What probes showed when a box was handed over, in the order of the history: those of hand-overs that were accepted and
 * in which somebody measured. No schema here, since browsers run it: a record that is not one of a hand-over says
 * nothing.
 * @param timeZone of times without an offset
 */
export function probesOf(records: readonly Probed[], timeZone: string): Measured[] {
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

/** What a record of the kind `recall` says: that a box is recalled, or that this was withdrawn. */
export type RecallData = { reason: string; withdrawn?: true }

/** A record as far as recalls need it. */
type Recallable = {
  readonly kind: string
  readonly at: string
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * The recall in force after these records, in the order of the history; null: there is none, or it was withdrawn.
 * `at`: as its record says.
 */
export function standingRecall(records: readonly Recallable[]): { reason: string; at: string } | null {
  const last = records.findLast(({ kind }) => kind === 'recall')
  if (last === undefined || last.data.withdrawn === true) return null
  return { reason: typeof last.data.reason === 'string' ? last.data.reason : '', at: last.at }
}

/**
 * How a buyer was notified of a recall. `none`: not yet; `waiting`: the email is queued, or is tried again; `sent`: the
 * mail server took it; `given up`: no mail server takes it; `discarded`: a manager took it out of the queue, or it went
 * with the account; `no contact`: there is nobody to write to any more.
 */
export const noticeStates = ['none', 'waiting', 'sent', 'given up', 'discarded', 'no contact'] as const
export type NoticeState = (typeof noticeStates)[number]

/** States in which a buyer is not notified, and no email is queued. */
export const notReached: readonly NoticeState[] = ['none', 'given up', 'discarded', 'no contact']
