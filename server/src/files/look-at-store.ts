import type { Config } from '#server/config/config.ts'
import { wrongSetting } from '#server/config/listen.ts'
import { isStorageFull } from '#server/http/storage-full.ts'
import type { FileStore } from './port.ts'

type Log = { warn(details: object, message: string): void }

/**
 * Looks at the file store at the start. A bucket that is not there, keys that it does not know and a folder that
 * can't be written stop the start; a store that does not answer, or is full, does not: readiness says so.
 * @throws Error whose message names the setting that is wrong in a sentence
 */
export async function lookAtStore(
  files: FileStore,
  { FILES_URL, DATA_DIR }: Pick<Config, 'FILES_URL' | 'DATA_DIR'>,
  log: Log,
): Promise<void> {
  try {
    await files.check()
  } catch (err) {
    const why = innermost(err)
    if (FILES_URL === undefined && !isStorageFull(err))
      throw wrongSetting(`DATA_DIR: files cannot be kept in ${DATA_DIR}/files: ${why.message}`, err)
    if (FILES_URL !== undefined && isRefusal(why))
      throw wrongSetting(
        `FILES_URL: the store refuses bucket ${new URL(FILES_URL).hostname}: ${words(why)}`,
        err,
      )
    log.warn({ err }, 'the file store is not there; pictures cannot be kept or shown until it is')
  }
}

/** The error of the system or of the S3 client, out of what it is wrapped in. */
const innermost = (error: unknown): Error =>
  error instanceof Error
    ? error.cause instanceof Error
      ? innermost(error.cause)
      : error
    : new Error(String(error))

const words = ({ name, message }: Error): string => (message.includes(' ') ? `${message} (${name})` : name)

/** Too many requests, and a request that took too long: a store that is busy, not a wrong setting. */
const BUSY = new Set([408, 425, 429])

/** A store that answers and refuses, or no keys to ask it with: waiting mends neither. */
function isRefusal(error: Error): boolean {
  if (error.name === 'CredentialsProviderError') return true
  const metadata: unknown = '$metadata' in error ? error.$metadata : undefined
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return false
  const status = Number(metadata.httpStatusCode)
  return status >= 300 && status < 500 && !BUSY.has(status)
}
