/**
 * An LRU cache of values made on demand and kept until `clear()`. A value whose making began before a `clear` is
 * returned to its callers but not cached, so that nothing older than the last change stays.
 */
export class InvalidatingCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>()
  readonly #capacity: number
  readonly #sizeOf: (value: Value) => number
  #size = 0

  /** @param sizeOf what a value takes of `capacity`, in bytes or entries; a value that is still being made takes 1 */
  constructor(capacity: number, sizeOf: (value: Value) => number = () => 1) {
    this.#capacity = capacity
    this.#sizeOf = sizeOf
  }

  /**
   * The cached value of `key`, or the result of `make`; concurrent callers share one call of it.
   * @param shouldCache false for a value that only its callers get, such as a failure
   */
  get(key: string, make: () => Promise<Value>, shouldCache = (_: Value) => true): Promise<Value> {
    const cached = this.#entries.get(key)
    if (cached !== undefined) return this.#touch(key, cached).promise
    const entry = { promise: make(), size: 1 }
    this.#put(key, entry)
    const settle = (value: Value): void => {
      if (this.#drop(key, entry) && shouldCache(value))
        this.#put(key, { ...entry, size: this.#sizeOf(value) })
    }
    entry.promise.then(settle, () => this.#drop(key, entry))
    return entry.promise
  }

  /** Drops the value of `key`; one that is still being made is returned to its callers but not cached. */
  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry !== undefined) this.#drop(key, entry)
  }

  clear(): void {
    this.#entries.clear()
    this.#size = 0
  }

  get size(): number {
    return this.#entries.size
  }

  #touch(key: string, entry: Entry<Value>): Entry<Value> {
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry
  }

  #put(key: string, entry: Entry<Value>): void {
    this.#entries.set(key, entry)
    this.#size += entry.size
    for (const [oldest, { size }] of this.#entries) {
      if (this.#size <= this.#capacity) return
      this.#entries.delete(oldest)
      this.#size -= size
    }
  }

  /** Returns whether it was there: a `clear` or an eviction may have come first. */
  #drop(key: string, entry: Entry<Value>): boolean {
    if (this.#entries.get(key) !== entry) return false
    this.#size -= entry.size
    return this.#entries.delete(key)
  }
}

/** `size`: what it takes of the capacity. */
type Entry<Value> = { promise: Promise<Value>; size: number }

/** Admits a key to a cache on its second request: most keys are requested once, and caching them would be in vain. */
export class Doorkeeper {
  readonly #keys = new Set<string>()
  readonly #capacity: number

  /** @param capacity how many keys are remembered; the least recently requested one is evicted first */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Was this key requested before? Remembers it. */
  admit(key: string): boolean {
    const again = this.#keys.delete(key)
    this.#keys.add(key)
    if (this.#keys.size > this.#capacity) {
      const [oldest = key] = this.#keys
      this.#keys.delete(oldest)
    }
    return again
  }
}
