import { setTimeout as sleep } from 'node:timers/promises'

/** How long one part may take to end; what holds an end up must not hold up those after it. */
const END_WITHIN_MS = 30_000

type End = () => Promise<unknown>

/** What was started, to be ended in the reverse order. */
export type Endings = {
  /** @param end undefined: it was not started; @param name for the sentence that says what did not end */
  add(name: string, end: End | undefined): void
  /**
   * Ends everything once, the newest first, also when an end fails or takes too long.
   * @throws Error, or AggregateError of several, that say which did not end
   */
  stop(): Promise<void>
}

/** @param withinMs how long one part may take to end */
export function endings(withinMs = END_WITHIN_MS): Endings {
  const stack = new AsyncDisposableStack()
  const failed: Error[] = []
  return {
    add: (name, end) => {
      if (end === undefined) return
      stack.defer(() => endInTime(name, end, withinMs).catch((error: Error) => void failed.push(error)))
    },
    stop: async () => {
      await stack.disposeAsync()
      const errors = failed.splice(0)
      if (errors.length === 1) throw errors[0]
      const sentences = errors.map(({ message }) => message).join(' ')
      if (errors.length > 1) throw new AggregateError(errors, sentences)
    },
  }
}

async function endInTime(name: string, end: End, withinMs: number): Promise<void> {
  const timer = new AbortController()
  const late = sleep(withinMs, 'late', { signal: timer.signal }).catch(() => undefined)
  try {
    if ((await Promise.race([end(), late])) === 'late')
      throw new Error(`it took more than ${withinMs / 1000} s`)
  } catch (cause) {
    throw new Error(`${name} did not end cleanly: ${cause instanceof Error ? cause.message : cause}.`, {
      cause,
    })
  } finally {
    timer.abort()
  }
}
