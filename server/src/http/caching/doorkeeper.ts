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
