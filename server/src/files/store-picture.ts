import { createHash } from 'node:crypto'
import type { Db, Tx } from '#server/db/client.ts'
import { files } from '#server/db/schema/files.ts'
import type { KeptPicture } from '#server/pictures/port.ts'
import { holdPath } from './hold-path.ts'
import type { FileStore } from './port.ts'
import { enqueueVariants } from './variants.ts'

export type StoredPicture = { path: string; width: number; height: number }

/** Key of a picture of ours: what it holds. The same bytes are the same picture. */
export const picturePath = (bytes: Uint8Array): string =>
  `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.webp`

/**
 * Stores a picture that is already ours (re-encoded or drawn by us) under its hash, and the row that names it in
 * the caller's transaction. Whoever removes an unused picture waits until that transaction ends.
 */
export async function storePicture(
  tx: Db | Tx,
  store: FileStore,
  { bytes, width, height }: KeptPicture,
): Promise<StoredPicture> {
  const path = picturePath(bytes)
  await holdPath(tx, path)
  await store.put(path, bytes)
  await tx
    .insert(files)
    .values({ path, mediaType: 'image/webp', bytes: bytes.length, width, height })
    .onConflictDoNothing()
  await enqueueVariants(tx, path)
  return { path, width, height }
}
