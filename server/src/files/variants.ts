import { eq } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { files, fileVariants } from '#server/db/schema/files.ts'
import { type CopyFormat, copyFormats, type Pictures } from '#server/images/port.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { holdPath } from './hold-path.ts'
import type { StoringFiles } from './keep-file.ts'
import { claimObject, enqueueRemoval, putObject, removeUnnamed } from './objects.ts'
import type { FileStore } from './port.ts'
import { readObject } from './read-object.ts'

/** Widths in px that pages ask for; a picture has those that are narrower than itself. */
export const variantWidths = [240, 480, 960] as const

export const VARIANTS_QUEUE = 'files.variants'

/** Has the narrower copies of a stored picture made after the surrounding transaction commits. */
export const enqueueVariants = (tx: Db | Tx, path: string): Promise<void> =>
  enqueue(tx, VARIANTS_QUEUE, { path }, { uniqueKey: path })

/**
 * Makes the narrower copies of one picture, those that are not there yet or whose bytes are missing or damaged:
 * harmless when run again, and a run that was cut off is carried on. A picture removed meanwhile is left, and so is one whose bytes are missing or damaged.
 * @param signal when aborted, no further copy is begun and its reason is thrown
 */
export async function makeVariants(
  deps: StoringFiles & { pictures: Pictures },
  path: string,
  signal?: AbortSignal,
): Promise<void> {
  const { db, pictures } = deps
  const [file] = await db.select().from(files).where(eq(files.path, path))
  const bytes = file && (await readObject(deps, file))
  if (file === undefined || bytes === undefined) return
  const made = await db.select().from(fileVariants).where(eq(fileVariants.path, path))
  for (const { width, format } of wanted.filter((copy) => copy.width < file.width)) {
    const before = made.find((copy) => copy.width === width && copy.format === format)
    if (before !== undefined && (await readObject(deps, before)) !== undefined) continue
    signal?.throwIfAborted()
    const copy = await pictures.narrow(bytes, width, format)
    await keepVariant(deps, { path, width, format }, copy, before?.objectKey)
  }
}

type Copy = { width: number; format: CopyFormat }
type Variant = Copy & { path: string }

const wanted: readonly Copy[] = copyFormats.flatMap((format) =>
  variantWidths.map((width) => ({ width, format })),
)

/**
 * Stores one copy, unless its picture was removed while it was made, or somebody else made it meanwhile.
 * @param unsound key of a copy that is missing or damaged, whose place it takes
 */
async function keepVariant(
  { db, files: store }: { db: Db; files: FileStore },
  variant: Variant,
  bytes: Uint8Array,
  unsound: string | undefined,
): Promise<void> {
  const objectKey = await putObject(db, store, { bytes, extension: variant.format })
  const isKept = await db.transaction(async (tx) => {
    await holdPath(tx, variant.path)
    const [still] = await tx.select({ path: files.path }).from(files).where(eq(files.path, variant.path))
    if (still === undefined) return false
    if (unsound !== undefined) await forgetVariant(tx, unsound)
    await claimObject(tx, objectKey)
    const row = { ...variant, bytes: bytes.length, objectKey }
    const inserted = await tx.insert(fileVariants).values(row).onConflictDoNothing().returning()
    if (inserted.length === 0) await enqueueRemoval(tx, objectKey)
    return true
  })
  if (!isKept) await removeUnnamed(db, store, objectKey)
}

async function forgetVariant(tx: Tx, objectKey: string): Promise<void> {
  const gone = await tx.delete(fileVariants).where(eq(fileVariants.objectKey, objectKey)).returning()
  if (gone.length > 0) await enqueueRemoval(tx, objectKey)
}
