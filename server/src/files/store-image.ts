import { eq } from 'drizzle-orm'
import { lockNamed } from '#server/db/advisory-locks.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { files, fileVariants } from '#server/db/schema/files.ts'
import {
  type ImageProcessor,
  type NormalizedImage,
  type VariantFormat,
  variantFormats,
} from '#server/images/image-processor.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { FileStore } from './file-store.ts'
import { claimObject, enqueueRemoval, putObject, readObject, removeIfUnreferenced } from './objects.ts'
import {
  type PutFile,
  pathOf,
  putFile,
  removeUnreferenced,
  type StoringFiles,
  saveFile,
} from './store-file.ts'

/** Writes the rows of the stored images, in the transaction that refers to them, and returns them in their order. */
type SaveImages = (tx: Tx) => Promise<StoredImage[]>

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

/** Widths in px that pages request; an image has variants of those that are narrower than itself. */
const variantWidths = [240, 480, 960] as const

export const VARIANTS_QUEUE = 'files.variants'

/** Enqueues the variants of a stored image, which are made after the commit. */
export const enqueueVariants = (tx: Db | Tx, path: string): Promise<void> =>
  enqueue(tx, VARIANTS_QUEUE, { path }, { uniqueKey: path })

/**
 * Makes the missing and damaged variants of one image. Idempotent; an interrupted run is continued. An image that was
 * removed meanwhile or is damaged itself is skipped.
 * @param signal when aborted, no further variant is begun and its reason is thrown
 */
export async function makeVariants(
  deps: StoringFiles & { images: ImageProcessor },
  path: string,
  signal?: AbortSignal,
): Promise<void> {
  const { db, images } = deps
  const [file] = await db.select().from(files).where(eq(files.path, path))
  const bytes = file && (await readObject(deps, file))
  if (file === undefined || bytes === undefined) return
  const made = await db.select().from(fileVariants).where(eq(fileVariants.path, path))
  for (const { width, format } of allVariants.filter((copy) => copy.width < file.width)) {
    const before = made.find((copy) => copy.width === width && copy.format === format)
    if (before !== undefined && (await readObject(deps, before)) !== undefined) continue
    signal?.throwIfAborted()
    const copy = await images.resize(bytes, width, format)
    await saveVariant(deps, { path, width, format }, copy, before?.objectKey)
  }
}

type VariantSpec = { width: number; format: VariantFormat }
type Variant = VariantSpec & { path: string }

const allVariants: readonly VariantSpec[] = variantFormats.flatMap((format) =>
  variantWidths.map((width) => ({ width, format })),
)

/**
 * Stores one variant, unless its image was removed meanwhile, or somebody else made the variant.
 * @param damagedKey key of the missing or damaged variant that it replaces
 */
async function saveVariant(
  { db, files: store }: { db: Db; files: FileStore },
  variant: Variant,
  bytes: Uint8Array,
  damagedKey: string | undefined,
): Promise<void> {
  const objectKey = await putObject(db, store, { bytes, extension: variant.format })
  const isKept = await db.transaction(async (tx) => {
    await lockNamed(tx, 'file', variant.path)
    const [still] = await tx.select({ path: files.path }).from(files).where(eq(files.path, variant.path))
    if (still === undefined) return false
    if (damagedKey !== undefined) await deleteVariant(tx, damagedKey)
    await claimObject(tx, objectKey)
    const row = { ...variant, bytes: bytes.length, objectKey }
    const inserted = await tx.insert(fileVariants).values(row).onConflictDoNothing().returning()
    if (inserted.length === 0) await enqueueRemoval(tx, objectKey)
    return true
  })
  if (!isKept) await removeIfUnreferenced(db, store, objectKey)
}

async function deleteVariant(tx: Tx, objectKey: string): Promise<void> {
  const gone = await tx.delete(fileVariants).where(eq(fileVariants.objectKey, objectKey)).returning()
  if (gone.length > 0) await enqueueRemoval(tx, objectKey)
}
