import type { TimedReading } from './cold-chain.ts'
import { COLD_LIMIT } from './cold-chain.ts'
import { HOUR_MS, MINUTE_MS } from './durations.ts'

/** Above `degrees` for `minutes` or longer is an excursion. */
export type WarmLimit = { degrees: number; minutes: number }

/** The shop's own, until a manager sets another. Source: freshness.md §3. */
export const DEFAULT_WARM_LIMIT: WarmLimit = { degrees: COLD_LIMIT, minutes: 30 }

/** Hours above the limit in total, from the first reading on, that grade an excursion. Source: freshness.md §3. */
export const GRADES_H = [2, 4] as const
export type Grade = 0 | (typeof GRADES_H)[number]

const gradeOf = (warmMs: number): Grade => GRADES_H.findLast((hours) => warmMs >= hours * HOUR_MS) ?? 0

/** The limit for a reading at an instant: one that a manager sets counts for readings from then on. */
export type LimitAt = (at: number) => WarmLimit

/** What was set at `since` (milliseconds since 1970) for a species, '' for all others; null: the limit was removed. */
export type LimitPeriod = { species: string; since: number; limit: WarmLimit | null }

/** The name of a species as limits know it. */
export const limitKey = (species: string): string => species.trim().toLowerCase()

/** The limits of a species over time: its own where it has one, or the shop's. `periods` in any order. */
export function limitsOf(species: string, periods: readonly LimitPeriod[]): LimitAt {
  const newestFirst = [...periods].sort((a, b) => b.since - a.since)
  const at = (key: string, instant: number): WarmLimit | null | undefined =>
    newestFirst.find((period) => period.species === key && period.since <= instant)?.limit
  const key = limitKey(species)
  return (instant) => (key && at(key, instant)) || at('', instant) || DEFAULT_WARM_LIMIT
}

/** What a box's readings so far leave open: a stretch above the limit. Times in milliseconds since 1970. */
export type Watch = {
  /** Time of the newest reading; null before the first. */
  lastAt: number | null
  since: number | null
  peak: number | null
  peakAt: number | null
  /** Milliseconds above the limit in total; each interval counts by the temperature at its end. */
  warmMs: number
  /** The total when the open stretch began. */
  warmBeforeMs: number
  /** The open stretch counts as an excursion already. */
  isExcursion: boolean
}

export const NOTHING_WATCHED: Watch = {
  lastAt: null,
  since: null,
  peak: null,
  peakAt: null,
  warmMs: 0,
  warmBeforeMs: 0,
  isExcursion: false,
}

/** A stretch above the limit that is an excursion; `until` is null while it goes on. */
export type WarmStretch = {
  since: number
  until: number | null
  peak: number
  peakAt: number
  /** By its end. */
  grade: Grade
}

type WarmReading = Pick<TimedReading, 'at' | 'temperature'>

/**
 * Follows readings in time order. A stretch begins with the first reading above the limit and ends with the first that
 * is not. It is an excursion once it lasts for the limit's minutes, or when the hours in total reach a grade in it; a
 * shorter one says nothing.
 * @returns the excursions of these readings, the one that was open before included, and what is open now
 */
export function followReadings(
  before: Watch,
  readings: readonly WarmReading[],
  limitAt: LimitAt,
): { watch: Watch; stretches: WarmStretch[] } {
  let watch = before
  const stretches: WarmStretch[] = []
  for (const { at, temperature } of readings) {
    const limit = limitAt(at)
    const ms = watch.lastAt === null ? 0 : at - watch.lastAt
    if (temperature <= limit.degrees) {
      const ended = stretchOf({ ...watch, isExcursion: isLong(watch, at, limit) }, at)
      if (ended) stretches.push(ended)
      watch = { ...NOTHING_WATCHED, lastAt: at, warmMs: watch.warmMs }
      continue
    }
    const warmMs = watch.warmMs + ms
    const warmBeforeMs = watch.since === null ? watch.warmMs : watch.warmBeforeMs
    const isPeak = watch.peak === null || temperature > watch.peak
    const next: Watch = {
      lastAt: at,
      since: watch.since ?? at,
      peak: isPeak ? temperature : watch.peak,
      peakAt: isPeak ? at : watch.peakAt,
      warmMs,
      warmBeforeMs,
      isExcursion: watch.isExcursion || gradeOf(warmMs) > gradeOf(warmBeforeMs),
    }
    watch = { ...next, isExcursion: isLong(next, at, limit) }
  }
  const open = stretchOf(watch, null)
  if (open) stretches.push(open)
  return { watch, stretches }
}

const isLong = ({ since, isExcursion }: Watch, at: number, { minutes }: WarmLimit): boolean =>
  isExcursion || (since !== null && at - since >= minutes * MINUTE_MS)

function stretchOf(
  { since, peak, peakAt, warmMs, isExcursion }: Watch,
  until: number | null,
): WarmStretch | undefined {
  if (!isExcursion || since === null || peak === null || peakAt === null) return undefined
  return { since, until, peak, peakAt, grade: gradeOf(warmMs) }
}

/** All excursions that readings give, in any order of arrival the same. `ordered`: in time order, each second once. */
export const warmStretches = (ordered: readonly WarmReading[], limitAt: LimitAt): WarmStretch[] =>
  followReadings(NOTHING_WATCHED, ordered, limitAt).stretches

/** An excursion as it was found before. */
export type KnownStretch = { since: number; until: number | null; isClosed: boolean }

/** What becomes of known excursions: each stretch has one, the others are no more; `into`: became a part of that one. */
export type Reconciled<Known> = {
  kept: { known: Known; stretch: WarmStretch }[]
  opened: WarmStretch[]
  withdrawn: { known: Known; into: Known | null }[]
}

/**
 * Compares what is known with the stretches as they are now. A stretch takes over one that it overlaps: first what nobody
 * has closed, so that an alarm never vanishes in a closed one, then the one that began at the same time, then the oldest.
 */
export function reconcile<Known extends KnownStretch>(
  known: readonly Known[],
  stretches: readonly WarmStretch[],
): Reconciled<Known> {
  const left = new Set(known)
  const kept: Reconciled<Known>['kept'] = []
  const opened: WarmStretch[] = []
  for (const stretch of [...stretches].sort((a, b) => a.since - b.since)) {
    const rank = (one: Known) => (one.isClosed ? 2 : 0) + (one.since === stretch.since ? 0 : 1)
    const [first] = [...left]
      .filter((one) => overlaps(one, stretch))
      .sort((a, b) => rank(a) - rank(b) || a.since - b.since)
    if (first === undefined) opened.push(stretch)
    else {
      left.delete(first)
      kept.push({ known: first, stretch })
    }
  }
  const withdrawn = [...left].map((one) => ({
    known: one,
    into: kept.find(({ stretch }) => overlaps(one, stretch))?.known ?? null,
  }))
  return { kept, opened, withdrawn }
}

type Span = { since: number; until: number | null }

const overlaps = (a: Span, b: Span): boolean =>
  a.since < (b.until ?? Infinity) && b.since < (a.until ?? Infinity)

/**
 * What became of a silence that was noted to begin at `since`: until when it lasted (null: it lasts), or null: a reading
 * that came late shows that it never was.
 * @param times of readings around it, in order, in milliseconds since 1970
 * @param usual milliseconds between readings; longer than twice that is a silence
 */
export function silenceAround(since: number, times: readonly number[], usual: number): Span | null {
  const before = times.findLast((at) => at < since)
  const after = times.find((at) => at >= since)
  if (before === undefined) return null
  if (after !== undefined && after - before <= 2 * usual) return null
  return { since: before + 2 * usual, until: after ?? null }
}

/** What an excursion is, in a sentence. `limitDegrees`, `limitMinutes` and `peak` are null for a silence. */
export const excursionText = ({
  kind,
  limitDegrees,
  limitMinutes,
  peak,
  grade,
}: {
  kind: 'warm' | 'silent'
  limitDegrees: number | null
  limitMinutes: number | null
  peak: number | null
  grade: number
}): string => {
  if (kind === 'silent') return 'Sensor silent: no reading for longer than usual.'
  const highest = `up to ${peak?.toFixed(1)} °C`
  return grade > 0
    ? `Above ${limitDegrees} °C, ${highest}; ${grade} hours above it in total.`
    : `Above ${limitDegrees} °C for ${limitMinutes} minutes or longer, ${highest}.`
}
