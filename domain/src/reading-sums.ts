import { COLD_LIMIT, FASTEST_KMH, JUMP_DEGREES } from './cold-chain.ts'
import { DAY_MS, HOUR_MS } from './durations.ts'
import { kilometres } from './place.ts'
import type { ReadingColumns } from './reading-columns.ts'
import type { SpoilageKind } from './species-shelf-life.ts'
import { rateOfSpoilage, SUPERCHILLED_BELOW, warmestUnmeasured } from './time-left.ts'

/** The catch: milliseconds since 1970, and the spoilage model of its species. */
export type Caught = { at: number; kind: SpoilageKind }

/** Readings between two checkpoints of the sums. */
export const BLOCK = 64

/** Alerts that a reading raises, as bits. */
export const MARK = { jump: 1, tooFast: 2, silent: 4 } as const

/**
 * Sums over the readings before one, in the order of time. `coldAt`: NaN before the first cold one since the catch;
 * `placed`: −1 before any; `warmest`: index of the first warmest, −1 before any.
 */
const FIRST = {
  degreeHours: 0,
  warm: 0,
  coldAt: Number.NaN,
  placed: -1,
  warmest: -1,
  days: 0,
  superchilled: 0,
}
type Sums = typeof FIRST

/** Speed between two readings with positions. */
export function kmh({ columns }: ReadingColumns, from: number, to: number): number {
  const place = (i: number) => ({ latitude: columns.latitude[i] ?? 0, longitude: columns.longitude[i] ?? 0 })
  return kilometres(place(from), place(to)) / (((columns.at[to] ?? 0) - (columns.at[from] ?? 0)) / HOUR_MS)
}

/** Sums over readings and the marks of each, which can be recomputed from any reading on. */
export class ReadingSums {
  readonly #readings: ReadingColumns
  readonly #caught: Caught | undefined
  /** Checkpoints: the sums before the first reading of each block. */
  readonly #notes: Sums[] = []
  readonly #worstNotes: number[] = []
  #last: Sums = FIRST
  #worst = 0
  marks = new Uint8Array(8)
  /** Readings processed so far. */
  work = 0
  /** Number of readings with marks in each block. */
  readonly marked: number[] = []

  constructor(readings: ReadingColumns, caught: Caught | undefined) {
    this.#readings = readings
    this.#caught = caught
  }

  get degreeHours(): number {
    return this.#last.degreeHours
  }

  /** Milliseconds above the limit of the cold chain. */
  get warmMs(): number {
    return this.#last.warm
  }

  /** Milliseconds since 1970 of the first reading since the catch that was not; NaN without one. */
  get coldAt(): number {
    return this.#last.coldAt
  }

  /** Index of the first of the warmest readings; −1 without one. */
  get warmest(): number {
    return this.#last.warmest
  }

  get days(): number {
    return this.#last.days
  }

  /** `days` with what was not measured at its warmest, as the upper edge of `daysUsed` has it. */
  get worst(): number {
    return this.#worst
  }

  /** Readings since the catch that are too cold for the model. */
  get superchilled(): number {
    return this.#last.superchilled
  }

  get bytes(): number {
    return this.marks.length + this.#notes.length * 128
  }

  /** Recomputes the sums from an index on. Call `markSilences` from there on afterwards. */
  add(from: number): void {
    const { size } = this.#readings
    if (size > this.marks.length) {
      const marks = new Uint8Array(Math.ceil(size * 1.25) + 8)
      marks.set(this.marks)
      this.marks = marks
    }
    const block = Math.floor(from / BLOCK)
    const sums = { ...(this.#notes[block] ?? this.#last) }
    for (let i = block * BLOCK; i < size; i++) {
      if (i % BLOCK === 0) this.#notes[i / BLOCK] = { ...sums }
      this.marks[i] = this.#addOne(sums, i)
    }
    this.work += size - block * BLOCK
    this.#last = sums
  }

  /** Adds the reading at `i` to the sums and returns its marks, except silence. */
  #addOne(sums: Sums, i: number): number {
    const { at, temperature, latitude, longitude } = this.#readings.columns
    const [now, degrees] = [at[i] ?? 0, temperature[i] ?? 0]
    const ms = now - (at[i - 1] ?? now)
    let marks = 0
    if (sums.warmest < 0 || degrees > (temperature[sums.warmest] ?? degrees)) sums.warmest = i
    if (i > 0) {
      sums.degreeHours += Math.max(degrees, 0) * (ms / HOUR_MS)
      if (Math.abs(degrees - (temperature[i - 1] ?? 0)) > JUMP_DEGREES) marks |= MARK.jump
    }
    if (degrees > COLD_LIMIT) sums.warm += ms
    if (latitude[i] !== 0 && longitude[i] !== 0) {
      if (sums.placed >= 0 && kmh(this.#readings, sums.placed, i) > FASTEST_KMH) marks |= MARK.tooFast
      sums.placed = i
    }
    if (this.#caught !== undefined && now >= this.#caught.at) {
      sums.days = this.#daysAfter(sums.days, i, this.#caught, Infinity, false)
      if (degrees <= COLD_LIMIT && Number.isNaN(sums.coldAt)) sums.coldAt = now
      if (degrees < SUPERCHILLED_BELOW) sums.superchilled++
    }
    return marks
  }

  /**
   * Days used up to the reading at `i`, from those up to the previous one.
   * @param limit longer intervals are silences, at their warmest
   * @param isWorst the first reading counts as at its warmest, too
   */
  #daysAfter(
    days: number,
    i: number,
    { at: caughtAt, kind }: Caught,
    limit: number,
    isWorst: boolean,
  ): number {
    const { at, temperature } = this.#readings.columns
    const [now, degrees] = [at[i] ?? 0, temperature[i] ?? 0]
    const before = at[i - 1]
    if (i === 0 || before === undefined || before < caughtAt)
      return (
        rateOfSpoilage(kind, isWorst ? warmestUnmeasured(degrees) : degrees) * ((now - caughtAt) / DAY_MS)
      )
    const rate = rateOfSpoilage(kind, degrees)
    const rateBefore = rateOfSpoilage(kind, temperature[i - 1] ?? 0)
    const ms = now - before
    return days + (ms > limit ? Math.max(rateBefore, rate) : (rateBefore + rate) / 2) * (ms / DAY_MS)
  }

  /** Marks silences from an index on, and computes the worst case of days used: both depend on the usual interval. */
  markSilences(from: number, { limit, limitSince }: { limit: number; limitSince: number }): void {
    const { size, columns } = this.#readings
    const { at } = columns
    const first = Math.floor(from / BLOCK)
    let worst = this.#worstNotes[first] ?? this.#worst
    for (let i = first * BLOCK; i < size; i++) {
      if (i % BLOCK === 0) {
        this.#worstNotes[i / BLOCK] = worst
        this.marked[i / BLOCK] = 0
      }
      const now = at[i] ?? 0
      const marks = (this.marks[i] ?? 0) & ~MARK.silent
      this.marks[i] = i > 0 && now - (at[i - 1] ?? now) > limit ? marks | MARK.silent : marks
      if (this.marks[i] !== 0)
        this.marked[Math.floor(i / BLOCK)] = (this.marked[Math.floor(i / BLOCK)] ?? 0) + 1
      if (this.#caught !== undefined && now >= this.#caught.at)
        worst = this.#daysAfter(worst, i, this.#caught, limitSince, true)
    }
    this.#worst = worst
    this.work += size - first * BLOCK
  }
}
