import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import type { Config } from '#server/config/config.ts'
import { answering, type Log } from './answering.ts'
import type { FileStore } from './port.ts'

/** Opens the store that the settings name: `FILES_URL` (S3), else a folder in `DATA_DIR`. */
export async function openFileStore(
  config: Pick<Config, 'FILES_URL' | 'DATA_DIR'>,
  log: Log,
): Promise<FileStore> {
  if (config.FILES_URL === undefined)
    return answering(
      folder(new FSDriver({ location: join(config.DATA_DIR, 'files'), visibility: 'private' })),
      log,
    )
  const { bucket } = await import('./s3.ts')
  return answering(inBucket(bucket(new URL(config.FILES_URL))), log)
}

/** Free space alone would not show a folder that became read-only: a check writes and removes a file. */
function folder(driver: FSDriver): FileStore {
  const store = storeOn(new Disk(driver))
  const check = async (): Promise<void> => {
    const key = `check-${randomUUID()}`
    await store.put(key, Buffer.from('x'))
    await store.remove(key)
  }
  return { ...store, check }
}

/** What a check looks for in a bucket. It stays there: versions of objects are kept, and looking costs less. */
const CHECKED = 'check'

/** Who may not list a bucket is refused, not told, when an object is not there: then writing it tells. */
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

/** What stores answer when there is nothing under a key: the file system, and S3. */
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

/** The system's code or S3's name for what went wrong, in the library's wrapping. */
function nameOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error)) return ''
  return 'code' in cause ? String(cause.code) : cause.name
}
