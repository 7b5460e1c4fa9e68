import { eq } from 'drizzle-orm'
import sharp, { type Sharp } from 'sharp'
import type { Db, Tx } from '#server/db/client.ts'
import { files, fileVariants } from '#server/db/schema/files.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { holdPath } from './hold-path.ts'
import type { FileStore } from './port.ts'

/** Widths in px that pages ask for; a picture has those that are narrower than itself. */
export const variantWidths = [240, 480, 960] as const
/** WebP first: it takes a tenth of AVIF's time, so every picture soon has a small form. */
export const variantFormats = ['webp', 'avif'] as const
export type VariantFormat = (typeof variantFormats)[number]

/** Key under which a narrower copy is stored. */
export const variantKey = (path: string, width: number, format: VariantFormat): string =>
  `variants/${path}.${width}.${format}`

export const VARIANTS_QUEUE = 'files.variants'

/** Has the narrower copies of a stored picture made after the surrounding transaction commits. */
export const enqueueVariants = (tx: Db | Tx, path: string): Promise<void> =>
  enqueue(tx, VARIANTS_QUEUE, { path }, { uniqueKey: path })

/** AVIF effort 2: 4 takes five times as long for 3 % fewer bytes (docs/architecture.md). */
const encode = (image: Sharp, format: VariantFormat): Sharp =>
  format === 'avif' ? image.avif({ quality: 55, effort: 2 }) : image.webp({ quality: 78 })

/** Makes the narrower copies of one picture. Harmless when run again; a picture removed meanwhile is left. */
export async function makeVariants(db: Db, store: FileStore, path: string): Promise<void> {
  const [file] = await db.select().from(files).where(eq(files.path, path))
  const bytes = file && (await store.read(path))
  if (file === undefined || bytes === undefined) return
  for (const format of variantFormats)
    for (const width of variantWidths.filter((width) => width < file.width)) {
      const image = sharp(bytes, { limitInputPixels: 50_000_000 }).resize({ width })
      await keepVariant(db, store, { path, width, format }, await encode(image, format).toBuffer())
    }
}

type Variant = { path: string; width: number; format: VariantFormat }

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
