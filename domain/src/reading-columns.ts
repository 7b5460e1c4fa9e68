import type { TimedReading } from './readings.ts'
import { larger } from './sorted-numbers.ts'

/** The interval between two neighbours: milliseconds, and its start. */
export type Span = { from: number; ms: number }

/** The result of adding readings: the first changed index, and the intervals added and removed. */
export type Merged = { from: number; added: Span[]; removed: Span[] }

const NAMES = ['at', 'temperature', 'latitude', 'longitude'] as const
type Column = Float64Array<ArrayBuffer>
type Columns = Record<(typeof NAMES)[number], Column>

const newColumn = (): Column => new Float64Array(8)
const secondOf = (at: number): number => Math.floor(at / 1000)

/** Readings in the order of `inTimeOrder`, 32 bytes each, in columns. New ones are inserted in order. */
export class ReadingColumns {
  readonly columns: Columns = {
    at: newColumn(),
    temperature: newColumn(),
    latitude: newColumn(),
    longitude: newColumn(),
  }
  #size = 0

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    return NAMES.length * this.columns.at.byteLength
  }

  /**
   * Adds readings in the order of `inTimeOrder`. Of two in the same second the warmer counts, of two equal ones the
   * existing one. The cost is linear in the number of readings after the first new one.
   */
  merge(ordered: readonly TimedReading[]): Merged {
    const from = this.#placeOfSecond(secondOf(ordered[0]?.at ?? Infinity))
    const merged: Merged = { from, added: [], removed: [] }
    const old = this.#takeFrom(from)
    const oldLength = old.at.length
    this.#makeRoom(from + oldLength + ordered.length)
    let [next, j] = [0, 0]
    let lastOld = from - 1 // index before the merge; NaN after a new one
    while (next < ordered.length || j < oldLength) {
      const reading = ordered[next]
      const oldSecond = j < oldLength ? secondOf(old.at[j] ?? 0) : Infinity
      const newSecond = reading === undefined ? Infinity : secondOf(reading.at)
      const isOld = oldSecond <= newSecond
      const warmer = oldSecond === newSecond && (reading?.temperature ?? 0) > (old.temperature[j] ?? 0)
      const before = this.#size - 1
      if (isOld && !warmer) for (const name of NAMES) this.columns[name][this.#size] = old[name][j] ?? 0
      else if (reading !== undefined) for (const name of NAMES) this.columns[name][this.#size] = reading[name]
      if (newSecond <= oldSecond) next++
      const goesOn = isOld && !warmer && lastOld === from + j - 1
      if (!goesOn && before >= 0) merged.added.push(this.#span(before))
      if (isOld && !goesOn && from + j > 0) merged.removed.push(this.#oldSpan(old.at, from, j))
      lastOld = isOld && !warmer ? from + j : Number.NaN
      if (isOld) j++
      this.#size++
    }
    return merged
  }

  #span(place: number): Span {
    const { at } = this.columns
    const from = at[place] ?? 0
    return { from, ms: (at[place + 1] ?? 0) - from }
  }

  #oldSpan(old: Column, offset: number, j: number): Span {
    const from = (j === 0 ? this.columns.at[offset - 1] : old[j - 1]) ?? 0
    return { from, ms: (old[j] ?? 0) - from }
  }

  /** Removes and returns the readings from an index on. */
  #takeFrom(place: number): Columns {
    const { at, temperature, latitude, longitude } = this.columns
    const size = this.#size
    this.#size = place
    return {
      at: at.slice(place, size),
      temperature: temperature.slice(place, size),
      latitude: latitude.slice(place, size),
      longitude: longitude.slice(place, size),
    }
  }

  /** The first index whose reading is of this second or later. */
  #placeOfSecond(second: number): number {
    const { at } = this.columns
    let [low, high] = [0, this.#size]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (secondOf(at[middle] ?? 0) < second) low = middle + 1
      else high = middle
    }
    return low
  }

  #makeRoom(size: number): void {
    if (size > this.columns.at.length)
      for (const name of NAMES) this.columns[name] = larger(this.columns[name], size)
  }
}
