/**
 * Values made on demand and kept until `clear()`. A value whose making began before a `clear` is handed to its
 * asker but not kept, so that nothing older than the last change stays. When it is full, what was asked for
 * longest ago goes.
 */
export class FreshCache<Value> {
  readonly #kept = new Map<string, Entry<Value>>()
  readonly #capacity: number
  readonly #weigh: (value: Value) => number
  #weight = 0

  /** @param weigh what a value takes of `capacity`; a value that is still being made takes 1 */
  constructor(capacity: number, weigh: (value: Value) => number = () => 1) {
    this.#capacity = capacity
    this.#weigh = weigh
  }

  /**
   * The kept value of `key`, or what `make` answers; several askers at once share one making.
   * @param worthKeeping false for a value that only its askers get, such as a failure
   */
  get(key: string, make: () => Promise<Value>, worthKeeping = (_: Value) => true): Promise<Value> {
    const kept = this.#kept.get(key)
    if (kept !== undefined) return this.#askedAgain(key, kept).making
    const entry = { making: make(), weight: 1 }
    this.#put(key, entry)
    const settle = (value: Value): void => {
      if (this.#drop(key, entry) && worthKeeping(value))
        this.#put(key, { ...entry, weight: this.#weigh(value) })
    }
    entry.making.then(settle, () => this.#drop(key, entry))
    return entry.making
  }

  clear(): void {
    this.#kept.clear()
    this.#weight = 0
  }

  get size(): number {
    return this.#kept.size
  }

  #askedAgain(key: string, entry: Entry<Value>): Entry<Value> {
    this.#kept.delete(key)
    this.#kept.set(key, entry)
    return entry
  }

  #put(key: string, entry: Entry<Value>): void {
    this.#kept.set(key, entry)
    this.#weight += entry.weight
    for (const [oldest, { weight }] of this.#kept) {
      if (this.#weight <= this.#capacity) return
      this.#kept.delete(oldest)
      this.#weight -= weight
    }
  }

  /** Answers whether it was there: a `clear`, or others that were asked for, may have come first. */
  #drop(key: string, entry: Entry<Value>): boolean {
    if (this.#kept.get(key) !== entry) return false
    this.#weight -= entry.weight
    return this.#kept.delete(key)
  }
}

/** `weight`: what it takes of the capacity. */
type Entry<Value> = { making: Promise<Value>; weight: number }
