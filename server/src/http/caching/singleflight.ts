/**
 * Coalesces concurrent reads: callers that come before a read begins share it, and each key has one in flight at a
 * time. A read in flight is never shared with later callers, so a result is never older than its request.
 */
export class Singleflight<Value> {
  readonly #inFlight = new Map<string, Promise<Value>>()
  readonly #next = new Map<string, Promise<Value>>()

  /** The result of `begin`, called no earlier than this. */
  run(key: string, begin: () => Promise<Value>): Promise<Value> {
    const next = this.#next.get(key)
    if (next !== undefined) return next
    const running = this.#inFlight.get(key)
    return running === undefined ? this.#start(key, begin) : this.#startAfter(running, key, begin)
  }

  #start(key: string, begin: () => Promise<Value>): Promise<Value> {
    const running = begin()
    this.#inFlight.set(key, running)
    const ended = (): unknown => this.#inFlight.delete(key)
    running.then(ended, ended)
    return running
  }

  #startAfter(running: Promise<Value>, key: string, begin: () => Promise<Value>): Promise<Value> {
    const turn = running.then(
      () => undefined,
      () => undefined, // reported to those who shared it
    )
    const next = turn.then(() => {
      this.#next.delete(key)
      return this.#start(key, begin)
    })
    this.#next.set(key, next)
    return next
  }
}
