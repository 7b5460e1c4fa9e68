import { ShopError } from '@befaqt/domain/errors'
import { isStorageFull } from '#server/http/storage-full.ts'
import { oncePer } from './once-per.ts'
import type { FileStore } from './port.ts'

export type Log = { error(details: object, message: string): void }

/** Longer than the attempts of one call take: what is left of a call that hangs all the same is not waited for. */
const ANSWER_WITHIN_MS = 12_000
/** A store that is away fails every call: the log has one line of it in this time. */
const TOLD_EVERY_MS = 10_000

/**
 * The store with a time limit on each call, and with one answer for all its failures: `unavailable`, with the cause
 * in the log. A full disk stays what it is.
 */
export function answering(store: FileStore, log: Log, limitMs = ANSWER_WITHIN_MS): FileStore {
  const mayTell = oncePer(TOLD_EVERY_MS)
  const refuse = (err: unknown, does: string, key: string): never => {
    if (isStorageFull(err)) throw err
    if (mayTell(does)) log.error({ err, does, key }, 'the file store does not answer as it should')
    throw new ShopError(
      'unavailable',
      'Files cannot be kept or read just now. Please try again in a minute.',
      {
        cause: err,
        details: { retryAfterS: 30 },
      },
    )
  }
  return {
    put: (key, bytes) => within(limitMs, store.put(key, bytes)).catch((e: unknown) => refuse(e, 'put', key)),
    read: (key) => within(limitMs, store.read(key)).catch((e: unknown) => refuse(e, 'read', key)),
    remove: (key) => within(limitMs, store.remove(key)).catch((e: unknown) => refuse(e, 'remove', key)),
    check: () => within(limitMs, store.check()),
  }
}

/** What `work` makes, unless it takes longer than `limitMs`: then it is no longer waited for. */
async function within<Made>(limitMs: number, work: Promise<Made>): Promise<Made> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const limit = setTimeout(() => reject(new Error(`no answer within ${limitMs / 1_000} s`)), limitMs)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(limit)
  }
}
