import type { Tx } from '#server/db/client.ts'
import type { NormalizedImage } from '#server/images/port.ts'
import { type PutFile, putFile, type StoringFiles, saveFile } from './store-file.ts'
import { enqueueVariants } from './variants.ts'

export type StoredImage = { path: string; width: number; height: number }

/** Stores the bytes of a normalized image, outside any transaction. */
export const putImage = (deps: StoringFiles, picture: NormalizedImage): Promise<PutFile> =>
  putFile(deps, { ...picture, extension: 'webp', mediaType: 'image/webp' })

/** Writes the row of a stored image, and enqueues its variants, in the caller's transaction. */
export async function saveImage(tx: Tx, put: PutFile): Promise<StoredImage> {
  await saveFile(tx, put)
  await enqueueVariants(tx, put.path)
  return { path: put.path, width: put.row.width, height: put.row.height }
}
