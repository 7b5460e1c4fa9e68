import type { ColdChain } from './cold-chain.ts'
import { type Alert, alertMessages, inTimeOrder, oldestFirst, type Reading } from './cold-chain.ts'
import { MINUTE_MS } from './durations.ts'
import { scoreOfDegreeHours, shareHeard } from './freshness.ts'
import { ReadingColumns, SortedNumbers, type Span } from './reading-columns.ts'
import { BLOCK, type Caught, kmh, MARK, ReadingSums } from './reading-sums.ts'
import { type DaysUsed, withRange } from './time-left.ts'

/**
 * Computes `sensorScore`, `heardShare`, `daysUsed`, `coldChain`, `usualInterval` and `alertsOf` incrementally, equal to
 * the last bit. Sums are made in order of time, as in those functions, with a checkpoint every `BLOCK` readings: a new reading costs the same
 * at any length, a late one as much as the readings after it. A change of the usual interval that turns a gap into a
 * silence, or back, costs one pass over all.
 */
export class IncrementalMetrics {
  readonly #readings = new ReadingColumns()
  readonly #sums: ReadingSums
  readonly #spans = new SortedNumbers()
  /** Only those since the catch, if there is one. */
  readonly #spansSince = new SortedNumbers()
  readonly #caught: Caught | undefined
  readonly #timeZone: string

  /** @param caught the catch, if its time is known: without it there are no days used */
  constructor(timeZone: string, caught?: Caught) {
    this.#caught = caught
    this.#timeZone = timeZone
    this.#sums = new ReadingSums(this.#readings, caught)
  }

  /** Adds readings in any order. */
  add(added: readonly Reading[]): void {
    const ordered = inTimeOrder(added, this.#timeZone)
    if (ordered.length === 0) return
    const before = this.#silences()
    const merged = this.#readings.merge(ordered)
    this.#spans.change(merged.added.map(lengthOf), merged.removed.map(lengthOf))
    const since = ({ from }: Span): boolean => from >= (this.#caught?.at ?? Infinity)
    this.#spansSince.change(
      merged.added.filter(since).map(lengthOf),
      merged.removed.filter(since).map(lengthOf),
    )
    this.#sums.add(merged.from)
    const now = this.#silences()
    const same =
      this.#spans.countAbove(before.limit) === this.#spans.countAbove(now.limit) &&
      this.#spansSince.countAbove(before.limitSince) === this.#spansSince.countAbove(now.limitSince)
    this.#sums.markSilences(same ? merged.from : 0, now)
  }

  /** Approximate size in memory. */
  get bytes(): number {
    return this.#readings.bytes + this.#sums.bytes + this.#spans.bytes + this.#spansSince.bytes
  }

  /** Readings processed since the start, to measure what adding costs. */
  get work(): number {
    return this.#sums.work
  }

  /** As `sensorScore`. */
  sensorScore(): number | null {
    return this.#readings.size === 0 ? null : scoreOfDegreeHours(this.#sums.degreeHours)
  }

  /** As `daysUsed` since the catch; also null without its time. */
  daysUsed(): DaysUsed | null {
    if ((this.lastAt() ?? -Infinity) < (this.#caught?.at ?? Infinity)) return null
    return withRange(this.#sums.days, this.#sums.worst)
  }

  /** As `heardShare`. */
  heardShare(): number {
    const first = this.#readings.columns.at[0] ?? 0
    return shareHeard((this.lastAt() ?? first) - first, this.#spans.sumAbove(this.#silences().limit))
  }

  /** As `coldChain` since the catch. */
  coldChain(): ColdChain | null {
    if (this.#readings.size === 0) return null
    const longest = this.#spans.at(this.#spans.size - 1)
    const usual = this.usualInterval()
    const { at, temperature } = this.#readings.columns
    const { warmest } = this.#sums
    const toCold = this.#sums.coldAt - (this.#caught?.at ?? Number.NaN)
    return {
      minutesAbove5: this.#sums.warmMs / MINUTE_MS,
      minutesToCold: Number.isNaN(toCold) ? null : toCold / MINUTE_MS,
      longestSilenceMinutes: longest === undefined ? null : longest / MINUTE_MS,
      usualIntervalMinutes: usual === null ? null : usual / MINUTE_MS,
      highest: temperature[warmest] ?? Number.NaN,
      highestAt: new Date(at[warmest] ?? 0).toISOString(),
    }
  }

  /** Was a reading since the catch below the range of the model of time left? */
  isSuperchilled(): boolean {
    return this.#sums.superchilled > 0
  }

  /** Milliseconds since 1970 of the last reading. */
  lastAt(): number | undefined {
    const { size, columns } = this.#readings
    return size === 0 ? undefined : columns.at[size - 1]
  }

  /** °C of the last reading. */
  lastTemperature(): number | undefined {
    const { size, columns } = this.#readings
    return size === 0 ? undefined : columns.temperature[size - 1]
  }

  /** As `usualInterval`. */
  usualInterval(): number | null {
    return median(this.#spans)
  }

  /** The last of `alertsOf`, oldest first. */
  alerts(most: number): Alert[] {
    const found: Alert[] = []
    for (let block = this.#sums.marked.length - 1; block >= 0 && found.length < most; block--) {
      if (this.#sums.marked[block] === 0) continue
      const end = Math.min(this.#readings.size, (block + 1) * BLOCK)
      for (let i = end - 1; i >= block * BLOCK && found.length < most; i--)
        if (this.#sums.marks[i] !== 0) found.push(...this.#alertsAt(i).sort(oldestFirst).reverse())
    }
    return found.slice(0, most).reverse()
  }

  #alertsAt(i: number): Alert[] {
    const { at, temperature } = this.#readings.columns
    const marks = this.#sums.marks[i] ?? 0
    const now = at[i] ?? 0
    const last = i - 1
    const alerts: Alert[] = []
    const add = (kind: Alert['kind'], words: string): unknown => alerts.push({ kind, at: now, words })
    if (marks & MARK.silent) add('silent', alertMessages.silent(now - (at[last] ?? 0)))
    if (marks & MARK.jump)
      add('jump', alertMessages.jump(Math.abs((temperature[i] ?? 0) - (temperature[last] ?? 0))))
    if (marks & MARK.tooFast)
      add('too-fast', alertMessages.tooFast(kmh(this.#readings, this.#placedBefore(i), i)))
    return alerts
  }

  #placedBefore(i: number): number {
    const { latitude, longitude } = this.#readings.columns
    let before = i - 1
    while (before > 0 && (latitude[before] === 0 || longitude[before] === 0)) before--
    return before
  }

  /** Longer gaps are silences: among all readings, and among those since the catch. */
  #silences(): { limit: number; limitSince: number } {
    return { limit: twice(median(this.#spans)), limitSince: twice(median(this.#spansSince)) }
  }
}

const lengthOf = ({ ms }: Span): number => ms
const twice = (usual: number | null): number => (usual === null ? Infinity : 2 * usual)
const median = (spans: SortedNumbers): number | null => spans.at(Math.floor((spans.size - 1) / 2)) ?? null
