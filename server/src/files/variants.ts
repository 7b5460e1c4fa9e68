import { eq } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { files, fileVariants } from '#server/db/schema/files.ts'
import type { Deps } from '#server/deps.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { type CopyFormat, copyFormats } from '#server/pictures/port.ts'
import { holdPath } from './hold-path.ts'
import type { FileStore } from './port.ts'

/** Widths in px that pages ask for; a picture has those that are narrower than itself. */
export const variantWidths = [240, 480, 960] as const

/** Key under which a narrower copy is stored. */
export const variantKey = (path: string, width: number, format: CopyFormat): string =>
  `variants/${path}.${width}.${format}`

export const VARIANTS_QUEUE = 'files.variants'

/** Has the narrower copies of a stored picture made after the surrounding transaction commits. */
export const enqueueVariants = (tx: Db | Tx, path: string): Promise<void> =>
  enqueue(tx, VARIANTS_QUEUE, { path }, { uniqueKey: path })

/**
 * Makes the narrower copies of one picture, those that are not there yet: harmless when run again, and a run that
 * was cut off is carried on. A picture removed meanwhile is left.
 * @param signal when aborted, no further copy is begun and its reason is thrown
 */
export async function makeVariants(
  { db, files: store, pictures }: Pick<Deps, 'db' | 'files' | 'pictures'>,
  path: string,
  signal?: AbortSignal,
): Promise<void> {
  const [file] = await db.select().from(files).where(eq(files.path, path))
  const bytes = file && (await store.read(path))
  if (file === undefined || bytes === undefined) return
  const made = await db.select().from(fileVariants).where(eq(fileVariants.path, path))
  const there = new Set(made.map(({ width, format }) => variantKey(path, width, format)))
  for (const { width, format } of wanted.filter((copy) => copy.width < file.width)) {
    if (there.has(variantKey(path, width, format))) continue
    signal?.throwIfAborted()
    await keepVariant(db, store, { path, width, format }, await pictures.narrow(bytes, width, format))
  }
}

type Copy = { width: number; format: CopyFormat }
type Variant = Copy & { path: string }

const wanted: readonly Copy[] = copyFormats.flatMap((format) =>
  variantWidths.map((width) => ({ width, format })),
)

/** Stores one copy, unless its picture was removed while it was made. */
async function keepVariant(db: Db, store: FileStore, variant: Variant, bytes: Uint8Array): Promise<void> {
  await db.transaction(async (tx) => {
    await holdPath(tx, variant.path)
    const [still] = await tx.select({ path: files.path }).from(files).where(eq(files.path, variant.path))
    if (still === undefined) return
    await store.put(variantKey(variant.path, variant.width, variant.format), bytes)
    await tx
      .insert(fileVariants)
      .values({ ...variant, bytes: bytes.length })
      .onConflictDoNothing()
  })
}
