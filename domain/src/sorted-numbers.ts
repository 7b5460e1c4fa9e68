/** More changes than these at once are merged in one pass; fewer are moved in one by one. */
const FEW = 8

/** Numbers in order, repeats too, that come and go a few at a time: medians of long lists, without sorting again. */
export class SortedNumbers {
  #items = new Float64Array(8)
  #size = 0

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    return this.#items.byteLength
  }

  /** The number at a place counted from the smallest; undefined beyond the end. */
  at(place: number): number | undefined {
    return place < this.#size ? this.#items[place] : undefined
  }

  /** How many are greater than `limit`. */
  countAbove(limit: number): number {
    return this.#size - this.#placeAfter(limit)
  }

  /** Adds and removes numbers; each of `removed` is there, or among `added`. */
  change(added: readonly number[], removed: readonly number[]): void {
    this.#makeRoom(this.#size + added.length)
    if (added.length + removed.length > FEW) this.#merge(ascending(added), ascending(removed))
    else {
      for (const number of added) this.#add(number)
      for (const number of removed) this.#remove(number)
    }
  }

  #add(number: number): void {
    const place = this.#placeAfter(number)
    this.#items.copyWithin(place + 1, place, this.#size++)
    this.#items[place] = number
  }

  #remove(number: number): void {
    const after = this.#placeAfter(number)
    this.#items.copyWithin(after - 1, after, this.#size--)
  }

  #merge(added: Float64Array, removed: Float64Array): void {
    const start = this.#placeBefore(Math.min(added[0] ?? Infinity, removed[0] ?? Infinity))
    const kept = this.#items.slice(start, this.#size)
    let [size, out, a, r] = [start, 0, 0, 0]
    while (out < kept.length || a < added.length) {
      const next = (kept[out] ?? Infinity) <= (added[a] ?? Infinity) ? kept[out++] : added[a++]
      if (next === removed[r]) r++
      else this.#items[size++] = next ?? 0
    }
    this.#size = size
  }

  #placeAfter(number: number): number {
    return this.#place((item) => item <= number)
  }

  #placeBefore(number: number): number {
    return this.#place((item) => item < number)
  }

  /** The first place whose number does not come `before`. */
  #place(before: (item: number) => boolean): number {
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

/** The same numbers with room for `size` and a quarter more. */
export function larger(numbers: Float64Array<ArrayBuffer>, size: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(Math.ceil(size * 1.25) + 8)
  grown.set(numbers)
  return grown
}
