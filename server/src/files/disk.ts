import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import type { Config } from '#server/config.ts'
import { answering, type Log } from './answering.ts'
import type { FileStore } from './port.ts'

/** Opens the store that the settings name: `FILES_URL` (S3), else a folder in `DATA_DIR`. */
export async function openFileStore(
  config: Pick<Config, 'FILES_URL' | 'DATA_DIR'>,
  log: Log,
): Promise<FileStore> {
  const { disk, check } =
    config.FILES_URL === undefined
      ? folder(join(config.DATA_DIR, 'files'))
      : await (await import('./s3.ts')).bucket(new URL(config.FILES_URL))
  return answering({ ...storeOn(disk), check }, log)
}

/** Free space alone would not show a folder that became read-only: a check writes and removes a file. */
function folder(location: string) {
  const disk = new Disk(new FSDriver({ location, visibility: 'private' }))
  const check = async (): Promise<void> => {
    const key = `check-${randomUUID()}`
    await disk.put(key, 'x')
    await disk.delete(key)
  }
  return { disk, check }
}

/** What stores answer when there is nothing under a key: the file system, and S3. */
const NOT_THERE = new Set(['ENOENT', 'NoSuchKey', 'NotFound'])

const storeOn = (disk: Disk): Omit<FileStore, 'check'> => ({
  put: (key, bytes) => disk.put(key, bytes),
  read: (key) =>
    disk.getBytes(key).catch((error: unknown) => {
      const cause = error instanceof Error ? error.cause : undefined
      if (!(cause instanceof Error)) throw error
      if (NOT_THERE.has('code' in cause ? String(cause.code) : cause.name)) return undefined
      throw error
    }),
  remove: (key) => disk.delete(key),
})
