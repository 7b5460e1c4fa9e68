import { join } from 'node:path'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import type { Config } from '#server/config.ts'
import type { FileStore } from './port.ts'

/** Opens the store that the settings name: `FILES_URL` (S3), else a folder in `DATA_DIR`. */
export async function openFileStore(config: Config): Promise<FileStore> {
  if (config.FILES_URL !== undefined) return storeOn(await s3Disk(new URL(config.FILES_URL)))
  return storeOn(new Disk(new FSDriver({ location: join(config.DATA_DIR, 'files'), visibility: 'private' })))
}

/** `s3://bucket?endpoint=…&region=…`; keys from the usual AWS variables. Loaded only where it is used. */
async function s3Disk(url: URL): Promise<Disk> {
  const { S3Driver } = await import('flydrive/drivers/s3')
  const endpoint = url.searchParams.get('endpoint')
  return new Disk(
    new S3Driver({
      bucket: url.hostname,
      visibility: 'private',
      supportsACL: false,
      region: url.searchParams.get('region') ?? 'us-east-1',
      ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    }),
  )
}

const storeOn = (disk: Disk): FileStore => ({
  put: (key, bytes) => disk.put(key, bytes),
  read: async (key) => ((await disk.exists(key)) ? disk.getBytes(key) : undefined),
  remove: (key) => disk.delete(key),
})
