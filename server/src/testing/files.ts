import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { files, fileVariants } from '#server/db/schema/files.ts'
import type { Deps } from '#server/deps.ts'
import { putImage, type StoredImage, saveImage } from '#server/files/store-image.ts'
import type { NormalizedImage } from '#server/images/image-processor.ts'
import type { TestShop } from './shop.ts'

/** A plain JPEG; each `shade` is a different image. */
export const jpeg = (shade = 80, width = 64, height = 48): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: { r: shade, g: 90, b: 100 } } })
    .jpeg()
    .toBuffer()

/** A field's text, or a file's bytes and name. */
type Part = string | { bytes: Uint8Array; name: string }

/** Body and header of a multipart form as a browser sends it. */
export async function formOf(
  parts: readonly (readonly [name: string, part: Part])[],
): Promise<{ payload: Buffer; headers: { 'content-type': string } }> {
  const form = new FormData()
  for (const [name, part] of parts)
    if (typeof part === 'string') form.append(name, part)
    else form.append(name, new Blob([Uint8Array.from(part.bytes)]), part.name)
  const sent = new Response(form)
  return {
    payload: Buffer.from(await sent.arrayBuffer()),
    headers: { 'content-type': sent.headers.get('content-type') ?? '' },
  }
}

/** Stores an image with its row, as an upload does. */
export async function storePicture(
  deps: Pick<Deps, 'db' | 'files' | 'log'>,
  kept: NormalizedImage,
): Promise<StoredImage> {
  const put = await putImage(deps, kept)
  return deps.db.transaction((tx) => saveImage(tx, put))
}

/** Keys of originals in the store, on disk and in the database: both must be equal. */
export async function storedPaths({ deps }: TestShop): Promise<{ onDisk: string[]; inDatabase: string[] }> {
  const { db, config } = deps
  const found = await readdir(join(config.DATA_DIR, 'files')).catch(() => [])
  const rows = await db.select({ path: files.path, objectKey: files.objectKey }).from(files)
  const copies = await db.select({ objectKey: fileVariants.objectKey }).from(fileVariants)
  const pathOf = new Map(rows.map(({ path, objectKey }) => [objectKey, path]))
  const isCopy = new Set(copies.map(({ objectKey }) => objectKey))
  return {
    onDisk: found
      .filter((name) => !isCopy.has(name))
      .map((name) => pathOf.get(name) ?? name)
      .sort(),
    inDatabase: rows.map(({ path }) => path).sort(),
  }
}

/** A normalized WebP with its size. */
export async function picture(shade = 42, width = 600, height = 400): Promise<NormalizedImage> {
  const { data, info } = await sharp({
    create: { width, height, channels: 3, background: { r: shade, g: 111, b: 115 } },
  })
    .webp()
    .toBuffer({ resolveWithObject: true })
  return { bytes: data, width: info.width, height: info.height }
}
