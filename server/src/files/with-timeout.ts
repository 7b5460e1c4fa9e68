import { ShopError } from '@befaqt/domain/errors'
import { isStorageFull } from '#server/http/errors.ts'
import type { FileStore } from './port.ts'
import { throttle } from './throttle.ts'

export type Log = { error(details: object, message: string): void }

/** Longer than all attempts of one call take; a call that hangs beyond this is abandoned. */
const TIMEOUT_MS = 12_000
/** An unreachable store fails every call: it is logged once in this time. */
const LOG_INTERVAL_MS = 10_000

/**
 * The store with a timeout on each call, and with one error for all failures: `unavailable`, with the cause in the log.
 * The error of a full disk is passed on.
 */
export function withTimeout(store: FileStore, log: Log, timeoutMs = TIMEOUT_MS): FileStore {
  const shouldLog = throttle(LOG_INTERVAL_MS)
  const fail = (err: unknown, does: string, key: string): never => {
    if (isStorageFull(err)) throw err
    if (shouldLog(does)) log.error({ err, does, key }, 'file store operation failed')
    throw new ShopError(
      'unavailable',
      'Files can’t be stored or read right now. Please try again in a minute.',
      {
        cause: err,
        details: { retryAfterS: 30 },
      },
    )
  }
  return {
    put: (key, bytes) =>
      rejectAfter(timeoutMs, store.put(key, bytes)).catch((e: unknown) => fail(e, 'put', key)),
    read: (key) => rejectAfter(timeoutMs, store.read(key)).catch((e: unknown) => fail(e, 'read', key)),
    remove: (key) => rejectAfter(timeoutMs, store.remove(key)).catch((e: unknown) => fail(e, 'remove', key)),
    check: () => rejectAfter(timeoutMs, store.check()),
  }
}

/** The result of `work`; rejects after `timeoutMs`. */
async function rejectAfter<Made>(timeoutMs: number, work: Promise<Made>): Promise<Made> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const limit = setTimeout(() => reject(new Error(`no response within ${timeoutMs / 1_000} s`)), timeoutMs)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(limit)
  }
}
