import { setTimeout as wait } from 'node:timers/promises'

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
