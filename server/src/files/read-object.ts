import type { Logger } from 'pino'
import { isSound } from './object-key.ts'
import { oncePer } from './once-per.ts'
import type { FileStore } from './port.ts'

/** What a row says about an object: the file it belongs to, where it is, and its size. */
export type Named = { path: string; objectKey: string; bytes: number }

const HOUR_MS = 3_600_000
const mayTell = oncePer(HOUR_MS)

/**
 * The bytes of an object that a row names; undefined when they are missing or are not what was stored, which the log
 * says once an hour for each file. Hashing takes about a millisecond for a megabyte, and most copies have some ten
 * kilobytes, so it is done each time.
 * @throws ShopError `unavailable` when the store does not answer
 */
export async function readObject(
  { files: store, log }: { files: FileStore; log: Logger },
  { path, objectKey, bytes: size }: Named,
): Promise<Uint8Array | undefined> {
  const bytes = await store.read(objectKey)
  if (bytes !== undefined && isSound(objectKey, bytes, size)) return bytes
  const wrong = bytes === undefined ? 'is missing' : 'is damaged'
  if (mayTell(objectKey)) log.error({ path, objectKey, size, found: bytes?.length }, `a stored file ${wrong}`)
  return undefined
}
