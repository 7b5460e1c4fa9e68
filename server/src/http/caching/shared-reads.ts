/**
 * Reads that many ask for at once: whoever asks before a read begins shares it, and for each key there is one at a
 * time. No answer is older than its question, since a read that runs already is not handed to who comes later.
 */
export class SharedReads<Value> {
  readonly #running = new Map<string, Promise<Value>>()
  readonly #next = new Map<string, Promise<Value>>()

  /** What `begin` answers, called after now. */
  read(key: string, begin: () => Promise<Value>): Promise<Value> {
    const next = this.#next.get(key)
    if (next !== undefined) return next
    const running = this.#running.get(key)
    return running === undefined ? this.#start(key, begin) : this.#startAfter(running, key, begin)
  }

  #start(key: string, begin: () => Promise<Value>): Promise<Value> {
    const running = begin()
    this.#running.set(key, running)
    const ended = (): unknown => this.#running.delete(key)
    running.then(ended, ended)
    return running
  }

  #startAfter(running: Promise<Value>, key: string, begin: () => Promise<Value>): Promise<Value> {
    const turn = running.then(
      () => undefined,
      () => undefined, // told to those who shared it
    )
    const next = turn.then(() => {
      this.#next.delete(key)
      return this.#start(key, begin)
    })
    this.#next.set(key, next)
    return next
  }
}
