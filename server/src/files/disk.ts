import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import type { Config } from '#server/config/config.ts'
import type { FileStore } from './port.ts'
import { type Log, withTimeout } from './with-timeout.ts'

/** Opens the store that the settings name: `FILES_URL` (S3), else a folder in `DATA_DIR`. */
export async function openFileStore(
  config: Pick<Config, 'FILES_URL' | 'DATA_DIR'>,
  log: Log,
): Promise<FileStore> {
  if (config.FILES_URL === undefined)
    return withTimeout(
      folder(new FSDriver({ location: join(config.DATA_DIR, 'files'), visibility: 'private' })),
      log,
    )
  const { bucket } = await import('./s3.ts')
  return withTimeout(inBucket(bucket(new URL(config.FILES_URL))), log)
}

/** Checks by writing and removing a file: free space alone would not reveal a folder that became read-only. */
function folder(driver: FSDriver): FileStore {
  const store = storeOn(new Disk(driver))
  const check = async (): Promise<void> => {
    const key = `check-${randomUUID()}`
    await store.put(key, Buffer.from('x'))
    await store.remove(key)
  }
  return { ...store, check }
}

/** The object that a check reads. It stays in the bucket: writing costs more, and buckets may keep old versions. */
const CHECKED = 'check'

/** Without the right to list a bucket, a missing object is reported as AccessDenied: then writing it decides. */
function inBucket(disk: Disk): FileStore {
  const store = storeOn(disk)
  const check = async (): Promise<void> => {
    const found = await store.read(CHECKED).catch((error: unknown) => {
      if (nameOf(error) !== 'AccessDenied') throw error
    })
    if (found === undefined) await store.put(CHECKED, Buffer.from('x'))
  }
  return { ...store, check }
}

/** Error codes for a missing key: of the file system, and of S3. */
const NOT_THERE = new Set(['ENOENT', 'NoSuchKey'])

const storeOn = (disk: Disk): Omit<FileStore, 'check'> => ({
  put: (key, bytes) => disk.put(key, bytes),
  read: (key) =>
    disk.getBytes(key).catch((error: unknown) => {
      if (NOT_THERE.has(nameOf(error))) return undefined
      throw error
    }),
  remove: (key) => disk.delete(key),
})

/** The system's code or S3's name of the error that the library wrapped. */
function nameOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error)) return ''
  return 'code' in cause ? String(cause.code) : cause.name
}
