import type { Tx } from '#server/db/client.ts'
import type { NormalizedImage } from '#server/images/port.ts'
import { type PutFile, pathOf, removeUnreferenced, type StoringFiles } from './store-file.ts'
import { putImage, type StoredImage, saveImage } from './store-image.ts'

/** Writes the rows of the stored images, in the transaction that refers to them, and returns them in their order. */
export type SaveImages = (tx: Tx) => Promise<StoredImage[]>

/**
 * Stores images, then runs `work`, which opens a transaction and calls `save` first in it. When anything fails neither
 * rows nor files stay, unless somebody else stored the same image.
 * @throws ShopError `unavailable` when the file store fails; what `work` throws
 */
export async function withImages<Made>(
  deps: StoringFiles,
  taken: readonly NormalizedImage[],
  work: (save: SaveImages) => Promise<Made>,
): Promise<Made> {
  const put = new Map<string, PutFile>()
  try {
    for (const [path, picture] of byPath(taken)) put.set(path, await putImage(deps, picture))
    return await work(async (tx) => {
      const stored = new Map<string, StoredImage>()
      for (const [path, file] of put) stored.set(path, await saveImage(tx, file))
      const pictures = taken.map((picture) => stored.get(pathOf({ ...picture, extension: 'webp' })))
      return pictures.filter((picture) => picture !== undefined)
    })
  } finally {
    await removeUnreferenced(deps.db, deps.files, [...put.values()])
  }
}

/** Each once, in the order of their paths: concurrent transactions lock the same images in the same order. */
const byPath = (taken: readonly NormalizedImage[]): [path: string, picture: NormalizedImage][] =>
  [...new Map(taken.map((picture) => [pathOf({ ...picture, extension: 'webp' }), picture]))].sort(
    ([a], [b]) => (a < b ? -1 : 1),
  )
