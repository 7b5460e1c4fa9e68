import type { Tx } from '#server/db/client.ts'
import type { KeptPicture } from '#server/images/port.ts'
import { keepFile, type PutFile, putFile, type StoringFiles } from './keep-file.ts'
import { enqueueVariants } from './variants.ts'

export type StoredPicture = { path: string; width: number; height: number }

/** Stores the bytes of a picture that is already ours (re-encoded or drawn by us), outside any transaction. */
export const putPicture = (deps: StoringFiles, picture: KeptPicture): Promise<PutFile> =>
  putFile(deps, { ...picture, extension: 'webp', mediaType: 'image/webp' })

/** Writes the row of a picture that was put, and has its narrower copies made, in the caller's transaction. */
export async function keepPicture(tx: Tx, put: PutFile): Promise<StoredPicture> {
  await keepFile(tx, put)
  await enqueueVariants(tx, put.path)
  return { path: put.path, width: put.row.width, height: put.row.height }
}
