import type { Config } from '#server/config/config.ts'
import { configError } from '#server/config/listen.ts'
import { isStorageFull } from '#server/http/errors.ts'
import type { FileStore } from './port.ts'

type Log = { warn(details: object, message: string): void }

/**
 * Checks the file store at the start. A missing bucket, invalid credentials and a folder that is not writable stop the
 * start; a store that is unreachable or full does not: readiness reports it.
 * @throws Error whose message names the wrong setting in a sentence
 */
export async function checkFileStore(
  files: FileStore,
  { FILES_URL, DATA_DIR }: Pick<Config, 'FILES_URL' | 'DATA_DIR'>,
  log: Log,
): Promise<void> {
  try {
    await files.check()
  } catch (err) {
    const why = innermost(err)
    if (FILES_URL === undefined && !isStorageFull(err))
      throw configError(`DATA_DIR: files cannot be kept in ${DATA_DIR}/files: ${why.message}`, err)
    if (FILES_URL !== undefined && isRejection(why))
      throw configError(
        `FILES_URL: the store refuses bucket ${new URL(FILES_URL).hostname}: ${describe(why)}`,
        err,
      )
    log.warn({ err }, 'the file store is unavailable; images cannot be stored or served until it is back')
  }
}

/** The root cause: an error of the system or of the S3 client. */
const innermost = (error: unknown): Error =>
  error instanceof Error
    ? error.cause instanceof Error
      ? innermost(error.cause)
      : error
    : new Error(String(error))

const describe = ({ name, message }: Error): string => (message.includes(' ') ? `${message} (${name})` : name)

/** Too many requests, request timeout: the store is busy, its settings are right. */
const BUSY = new Set([408, 425, 429])

/** Did the store reject the request, or are there no credentials? Waiting helps with neither. */
function isRejection(error: Error): boolean {
  if (error.name === 'CredentialsProviderError') return true
  const metadata: unknown = '$metadata' in error ? error.$metadata : undefined
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return false
  const status = Number(metadata.httpStatusCode)
  return status >= 300 && status < 500 && !BUSY.has(status)
}
