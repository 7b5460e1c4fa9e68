import { setTimeout as sleep } from 'node:timers/promises'

/** Time limit of one hook: a part that hangs must not keep the others from stopping. */
const HOOK_TIMEOUT_MS = 30_000

type Hook = () => Promise<unknown>

/** Hooks that stop what was started, in reverse order. */
export type ShutdownHooks = {
  /** @param hook undefined: the part was not started; @param name for the error message */
  add(name: string, hook: Hook | undefined): void
  /**
   * Runs every hook once, the newest first, also when one fails or times out.
   * @throws Error, or AggregateError of several, naming what did not stop
   */
  run(): Promise<void>
}

/** @param timeoutMs of one hook */
export function shutdownHooks(timeoutMs = HOOK_TIMEOUT_MS): ShutdownHooks {
  const stack = new AsyncDisposableStack()
  const failed: Error[] = []
  return {
    add: (name, hook) => {
      if (hook === undefined) return
      stack.defer(() => runHook(name, hook, timeoutMs).catch((error: Error) => void failed.push(error)))
    },
    run: async () => {
      await stack.disposeAsync()
      const errors = failed.splice(0)
      if (errors.length === 1) throw errors[0]
      const sentences = errors.map(({ message }) => message).join(' ')
      if (errors.length > 1) throw new AggregateError(errors, sentences)
    },
  }
}

async function runHook(name: string, hook: Hook, timeoutMs: number): Promise<void> {
  const timer = new AbortController()
  const late = sleep(timeoutMs, 'late', { signal: timer.signal }).catch(() => undefined)
  try {
    if ((await Promise.race([hook(), late])) === 'late')
      throw new Error(`timeout after ${timeoutMs / 1000} s`)
  } catch (cause) {
    throw new Error(`${name} did not stop cleanly: ${cause instanceof Error ? cause.message : cause}.`, {
      cause,
    })
  } finally {
    timer.abort()
  }
}
