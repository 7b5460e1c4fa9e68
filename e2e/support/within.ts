import { setTimeout as wait } from 'node:timers/promises'

/** The answer of `promise`, or an error that says what did not happen in `seconds`. For waiting, not for measuring. */
export async function within<T>(seconds: number, what: string, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`not within ${seconds} s: ${what}`)), seconds * 1000)
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

const ASK_AGAIN_MS = 200

/** Asks another program until it says yes: for what it tells nobody by itself. An error ends the asking. */
export async function until(seconds: number, what: string, ask: () => Promise<boolean>): Promise<void> {
  const stop = new AbortController()
  const asking = async (): Promise<void> => {
    while (!stop.signal.aborted && !(await ask())) await wait(ASK_AGAIN_MS)
  }
  try {
    await within(seconds, what, asking())
  } finally {
    stop.abort()
  }
}
