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
export function larger(numbers: Float64Array<ArrayBuffer>, size: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(Math.ceil(size * 1.25) + 8)
  grown.set(numbers)
  return grown
}
