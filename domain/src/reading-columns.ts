import type { TimedReading } from './cold-chain.ts'

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

/** More changes than this are merged in one pass; fewer are inserted one by one. */
const FEW = 8

/** A sorted multiset of numbers that changes a few at a time, for medians of long lists without sorting again. */
export class SortedNumbers {
  #items = new Float64Array(8)
  #size = 0

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    return this.#items.byteLength
  }

  /** The number at an index, counted from the smallest; undefined beyond the end. */
  at(index: number): number | undefined {
    return index < this.#size ? this.#items[index] : undefined
  }

  /** How many are greater than `limit`. */
  countAbove(limit: number): number {
    return this.#size - this.#upperBound(limit)
  }

  /** The sum of those that are greater than `limit`, from the smallest on. */
  sumAbove(limit: number): number {
    let sum = 0
    for (let i = this.#upperBound(limit); i < this.#size; i++) sum += this.#items[i] ?? 0
    return sum
  }

  /** Adds and removes numbers; each of `removed` must be present or among `added`. */
  change(added: readonly number[], removed: readonly number[]): void {
    this.#makeRoom(this.#size + added.length)
    if (added.length + removed.length > FEW) this.#merge(ascending(added), ascending(removed))
    else {
      for (const number of added) this.#add(number)
      for (const number of removed) this.#remove(number)
    }
  }

  #add(number: number): void {
    const index = this.#upperBound(number)
    this.#items.copyWithin(index + 1, index, this.#size++)
    this.#items[index] = number
  }

  #remove(number: number): void {
    const after = this.#upperBound(number)
    this.#items.copyWithin(after - 1, after, this.#size--)
  }

  #merge(added: Float64Array, removed: Float64Array): void {
    const start = this.#lowerBound(Math.min(added[0] ?? Infinity, removed[0] ?? Infinity))
    const rest = this.#items.slice(start, this.#size)
    let [size, i, a, r] = [start, 0, 0, 0]
    while (i < rest.length || a < added.length) {
      const next = (rest[i] ?? Infinity) <= (added[a] ?? Infinity) ? rest[i++] : added[a++]
      if (next === removed[r]) r++
      else this.#items[size++] = next ?? 0
    }
    this.#size = size
  }

  #upperBound(number: number): number {
    return this.#partitionPoint((item) => item <= number)
  }

  #lowerBound(number: number): number {
    return this.#partitionPoint((item) => item < number)
  }

  /** The first index whose number is not `before`, by binary search. */
  #partitionPoint(before: (item: number) => boolean): number {
    let [low, high] = [0, this.#size]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (before(this.#items[middle] ?? 0)) low = middle + 1
      else high = middle
    }
    return low
  }

  #makeRoom(size: number): void {
    if (size > this.#items.length) this.#items = larger(this.#items, size)
  }
}

const ascending = (numbers: readonly number[]): Float64Array => Float64Array.from(numbers).sort()

/** A copy with room for `size` numbers and a quarter more. */
function larger(numbers: Float64Array<ArrayBuffer>, size: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(Math.ceil(size * 1.25) + 8)
  grown.set(numbers)
  return grown
}
