import { createHash } from 'node:crypto'
import sharp from 'sharp'
import type { Db, Tx } from '#server/db/client.ts'
import { files } from '#server/db/schema/files.ts'
import { holdPath } from './hold-path.ts'
import type { FileStore } from './port.ts'
import { enqueueVariants } from './variants.ts'

export type StoredPicture = { path: string; width: number; height: number }

/** Key of a picture: what it holds. The same bytes are the same picture. */
export const picturePath = (bytes: Uint8Array, format: string): string =>
  `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${format}`

/**
 * Stores picture bytes that are already ours (re-encoded or drawn by us) under their hash, and the row that
 * names them in the caller's transaction. Whoever removes an unused picture waits until that transaction ends.
 */
export async function storePicture(tx: Db | Tx, store: FileStore, bytes: Uint8Array): Promise<StoredPicture> {
  const { format, width, height } = await sharp(bytes).metadata()
  const path = picturePath(bytes, format)
  await holdPath(tx, path)
  await store.put(path, bytes)
  await tx
    .insert(files)
    .values({ path, mediaType: `image/${format}`, bytes: bytes.length, width, height })
    .onConflictDoNothing()
  await enqueueVariants(tx, path)
  return { path, width, height }
}
