/** Remembers what was asked for lately: most things are asked for once, and keeping them would be in vain. */
export class AskedBefore {
  readonly #keys = new Set<string>()
  readonly #capacity: number

  /** @param capacity how many keys are remembered; what was asked for longest ago is forgotten first */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Was this key asked for before? From now on it was. */
  ask(key: string): boolean {
    const again = this.#keys.delete(key)
    this.#keys.add(key)
    if (this.#keys.size > this.#capacity) {
      const [longestAgo = key] = this.#keys
      this.#keys.delete(longestAgo)
    }
    return again
  }
}
