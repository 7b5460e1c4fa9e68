import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

/** The result of `promise`, or an error naming what did not happen in `seconds`. For waiting, not for measuring. */
export async function within<T>(seconds: number, what: string, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`not within ${seconds} s: ${what}`)), seconds * 1000)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

const POLL_MS = 200

/** Polls until `check` returns true. An error ends the polling. */
export async function until(seconds: number, what: string, check: () => Promise<boolean>): Promise<void> {
  const stop = new AbortController()
  const poll = async (): Promise<void> => {
    while (!stop.signal.aborted && !(await check())) await wait(POLL_MS)
  }
  try {
    await within(seconds, what, poll())
  } finally {
    stop.abort()
  }
}

const EVENTUALLY_S = 15

/**
 * Waits until what is read is as wanted: what a page shows comes after what was done, and on a busy machine later.
 * @throws AssertionError with what was read last
 */
export async function eventually<T>(
  read: () => Promise<T>,
  want: NoInfer<T>,
  message?: string,
  seconds = EVENTUALLY_S,
): Promise<void> {
  const end = performance.now() + seconds * 1_000
  for (;;) {
    const last = await read()
    if (isDeepStrictEqual(last, want)) return
    if (performance.now() > end) return assert.deepEqual(last, want, message)
    await wait(POLL_MS)
  }
}
