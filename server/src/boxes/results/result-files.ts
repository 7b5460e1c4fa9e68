import { readFile } from 'node:fs/promises'
import type { FieldError } from '@befaqt/domain/errors'
import { ShopError } from '@befaqt/domain/errors'
import { isSensingText } from '@befaqt/domain/sensing-data'
import type { Tx } from '#server/db/client.ts'
import {
  type NewFile,
  type PutFile,
  pathOf,
  putFile,
  removeUnreferenced,
  type StoringFiles,
  saveFile,
} from '#server/files/store-file.ts'
import { enqueueVariants } from '#server/files/store-image.ts'
import type { UploadedFile } from '#server/http/multipart-form.ts'
import type { ImageProcessor } from '#server/images/image-processor.ts'
import { normalizeImages } from '#server/images/image-processor.ts'

/** A file of a result: what the result calls it, and what is stored of it. */
export type ResultFile = { name: string; file: NewFile }

/** Pictures as all uploads are normalized. @throws ShopError `input.invalid` for each that is none */
export async function pictureFiles(
  images: ImageProcessor,
  uploads: readonly UploadedFile[],
): Promise<ResultFile[]> {
  const pictures = await normalizeImages(images, 'files', uploads)
  return pictures.map((picture, i) => ({
    name: uploads[i]?.name ?? '',
    file: { ...picture, extension: 'webp', mediaType: 'image/webp' },
  }))
}

/** Data files of sensors: text. @throws ShopError `input.invalid` for each that is none */
export async function dataFiles(uploads: readonly UploadedFile[]): Promise<ResultFile[]> {
  const read = await Promise.all(
    uploads.map(async ({ name, path }) => ({ name, bytes: new Uint8Array(await readFile(path)) })),
  )
  const wrong = read.flatMap(({ name, bytes }, i): FieldError[] =>
    isText(bytes) ? [] : [{ path: `files[${i}]`, message: `${name} is not a text file in UTF-8` }],
  )
  if (wrong.length > 0)
    throw new ShopError('input.invalid', wrong.map(({ message }) => message).join('; '), { fields: wrong })
  return read.map(({ name, bytes }) => ({
    name,
    file: { bytes, extension: 'csv', mediaType: 'text/csv', width: 0, height: 0 },
  }))
}

function isText(bytes: Uint8Array): boolean {
  try {
    return isSensingText(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return false
  }
}

/**
 * Replaces the names of uploaded files by the paths under which they are stored. Names that no file has stay: they may
 * be links.
 * @throws ShopError `input.invalid` for a file that nothing names, and for two of one name
 */
export function linker(uploaded: readonly ResultFile[], named: readonly string[]): (name: string) => string {
  const wrong = uploaded.flatMap(({ name }, i): FieldError[] => {
    if (uploaded.findIndex((other) => other.name === name) < i)
      return [{ path: `files[${i}]`, message: `${name} is there twice` }]
    return named.includes(name) ? [] : [{ path: `files[${i}]`, message: `the result names no file ${name}` }]
  })
  if (wrong.length > 0)
    throw new ShopError('input.invalid', wrong.map(({ message }) => message).join('; '), { fields: wrong })
  const paths = new Map(uploaded.map(({ name, file }) => [name, pathOf(file)]))
  return (name) => paths.get(name) ?? name
}

/**
 * Stores files, then runs `work`, which calls `save` in the transaction that refers to them. What no row refers to
 * afterwards is removed.
 * @throws ShopError `unavailable` when the file store fails; what `work` throws
 */
export async function withFiles<Made>(
  deps: StoringFiles,
  uploaded: readonly ResultFile[],
  work: (save: (tx: Tx) => Promise<void>) => Promise<Made>,
): Promise<Made> {
  const byPath = new Map(uploaded.map(({ file }) => [pathOf(file), file]))
  const ordered = [...byPath].sort(([a], [b]) => (a < b ? -1 : 1)) // locks are taken in one order
  const put: PutFile[] = []
  try {
    for (const [, file] of ordered) put.push(await putFile(deps, file))
    return await work(async (tx) => {
      for (const one of put) {
        await saveFile(tx, one)
        if (one.row.width > 0) await enqueueVariants(tx, one.path)
      }
    })
  } finally {
    await removeUnreferenced(deps.db, deps.files, put)
  }
}
