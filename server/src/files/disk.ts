import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import type { Config } from '#server/config.ts'
import type { FileStore } from './port.ts'

/** Opens the store that the settings name: `FILES_URL` (S3), else a folder in `DATA_DIR`. */
export async function openFileStore(config: Config): Promise<FileStore> {
  if (config.FILES_URL !== undefined) return s3Store(new URL(config.FILES_URL))
  const disk = new Disk(new FSDriver({ location: join(config.DATA_DIR, 'files'), visibility: 'private' }))
  return { ...storeOn(disk), check: () => writeAndRemove(disk) }
}

/** Free space alone would not show a folder that became read-only. */
async function writeAndRemove(disk: Disk): Promise<void> {
  const key = `check-${randomUUID()}`
  await disk.put(key, 'x')
  await disk.delete(key)
}

/** `s3://bucket?endpoint=…&region=…`; keys from the usual AWS variables. Loaded only where it is used. */
async function s3Store(url: URL): Promise<FileStore> {
  const { S3Driver } = await import('flydrive/drivers/s3')
  const { HeadBucketCommand, S3Client } = await import('@aws-sdk/client-s3')
  const endpoint = url.searchParams.get('endpoint')
  const client = new S3Client({
    region: url.searchParams.get('region') ?? 'us-east-1',
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
  })
  const bucket = url.hostname
  const disk = new Disk(new S3Driver({ client, bucket, visibility: 'private', supportsACL: false }))
  const check = async (): Promise<void> => void (await client.send(new HeadBucketCommand({ Bucket: bucket })))
  return { ...storeOn(disk), check }
}

const storeOn = (disk: Disk): Omit<FileStore, 'check'> => ({
  put: (key, bytes) => disk.put(key, bytes),
  read: async (key) => ((await disk.exists(key)) ? disk.getBytes(key) : undefined),
  remove: (key) => disk.delete(key),
})
