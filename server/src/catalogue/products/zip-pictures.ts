import { type PutFile, pathOf, removeUnreferenced, type StoringFiles } from '#server/files/store-file.ts'
import { putImage } from '#server/files/store-image.ts'
import type { ImageProcessor } from '#server/images/image-processor.ts'
import { type ProductZip, pictureKey } from './product-zip.ts'

/** A picture of a ZIP: its path in the shop, null before it was looked at, or why it is none. */
export type ZipPicture = { name: string; path: string | null } | { name: string; refused: string }
/** By `pictureKey`. */
export type ZipPictures = ReadonlyMap<string, ZipPicture>

/** The pictures of a ZIP, none of them looked at. */
export const unreadPictures = ({ pictures }: ProductZip): Map<string, ZipPicture> =>
  new Map([...pictures].map(([key, { name }]) => [key, { name, path: null }]))

type Found = { pictures: ZipPictures; put: readonly PutFile[] }

/**
 * Looks at the pictures with these names, one after another, and stores them unless it is a trial; then runs `work`,
 * which writes their rows. What no row names in the end is removed from the store.
 */
export async function withZipPictures<Made>(
  deps: StoringFiles & { images: ImageProcessor },
  zip: ProductZip,
  names: readonly string[],
  isTrial: boolean,
  work: (found: Found) => Promise<Made>,
): Promise<Made> {
  const pictures = unreadPictures(zip)
  const put = new Map<string, PutFile>()
  try {
    for (const key of new Set(names.map(pictureKey))) {
      const name = pictures.get(key)?.name ?? key
      const unpacked = await zip.unpack(key)
      const read = unpacked === undefined ? 'is damaged in the ZIP' : await deps.images.normalize(unpacked)
      if (typeof read === 'string') {
        pictures.set(key, { name, refused: read })
        continue
      }
      const path = pathOf({ ...read, extension: 'webp' })
      pictures.set(key, { name, path })
      if (!isTrial && !put.has(path)) put.set(path, await putImage(deps, read))
    }
    const inOrder = [...put.values()].sort((a, b) => (a.path < b.path ? -1 : 1)) // as everybody locks them
    return await work({ pictures, put: inOrder })
  } finally {
    await removeUnreferenced(deps.db, deps.files, [...put.values()])
  }
}
