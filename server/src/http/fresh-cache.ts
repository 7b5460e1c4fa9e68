/**
 * Values made on demand and kept until `clear()`. A value whose making began before a `clear` is handed to its
 * asker but not kept, so that nothing older than the last change stays. The oldest entries go when it is full.
 */
export class FreshCache<Value> {
  readonly #kept = new Map<string, Promise<Value>>()
  readonly #capacity: number
  #generation = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /**
   * The kept value of `key`, or what `make` answers; several askers at once share one making.
   * @param worthKeeping false for a value that only its askers get, such as a failure
   */
  get(key: string, make: () => Promise<Value>, worthKeeping = (_: Value) => true): Promise<Value> {
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const generation = this.#generation
    const making = make()
    this.#kept.set(key, making)
    if (this.#kept.size > this.#capacity) this.#dropOldest()
    const forget = (): void => {
      if (this.#kept.get(key) === making) this.#kept.delete(key)
    }
    making.then((value) => (generation !== this.#generation || !worthKeeping(value)) && forget(), forget)
    return making
  }

  clear(): void {
    this.#generation++
    this.#kept.clear()
  }

  get size(): number {
    return this.#kept.size
  }

  #dropOldest(): void {
    const oldest = this.#kept.keys().next()
    if (!oldest.done) this.#kept.delete(oldest.value)
  }
}
