import { eq } from 'drizzle-orm'
import { lockNamed } from '#server/db/advisory-locks.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { files, fileVariants } from '#server/db/schema/files.ts'
import { type ImageProcessor, type VariantFormat, variantFormats } from '#server/images/port.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { claimObject, enqueueRemoval, putObject, removeIfUnreferenced } from './objects.ts'
import type { FileStore } from './port.ts'
import { readObject } from './read-object.ts'
import type { StoringFiles } from './store-file.ts'

/** Widths in px that pages request; an image has variants of those that are narrower than itself. */
export const variantWidths = [240, 480, 960] as const

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
