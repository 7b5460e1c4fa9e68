import { HOUR_MS } from '@befaqt/domain/durations'
import type { Logger } from 'pino'
import { isIntact } from './object-key.ts'
import type { FileStore } from './port.ts'
import { throttle } from './throttle.ts'

/** What a row knows of an object: its file, key and size. */
export type StoredObject = { path: string; objectKey: string; bytes: number }

const shouldLog = throttle(HOUR_MS)

/**
 * The bytes of an object that a row refers to; undefined when they are missing or damaged, which is logged once an hour
 * for each file. Hashing takes about a millisecond for a megabyte, and most variants have some ten kilobytes, so they
 * are verified each time.
 * @throws ShopError `unavailable` when the store fails
 */
export async function readObject(
  { files: store, log }: { files: FileStore; log: Logger },
  { path, objectKey, bytes: size }: StoredObject,
): Promise<Uint8Array | undefined> {
  const bytes = await store.read(objectKey)
  if (bytes !== undefined && isIntact(objectKey, bytes, size)) return bytes
  const wrong = bytes === undefined ? 'is missing' : 'is damaged'
  if (shouldLog(objectKey))
    log.error({ path, objectKey, size, found: bytes?.length }, `a stored file ${wrong}`)
  return undefined
}
