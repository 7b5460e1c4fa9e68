import { eq, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { lockNamed } from '#server/db/advisory-locks.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { files, fileVariants } from '#server/db/schema/files.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { FileStore } from './file-store.ts'
import {
  claimObject,
  contentName,
  enqueueRemoval,
  putObject,
  readObject,
  removeIfUnreferenced,
} from './objects.ts'

/** The dependencies of storing files. */
export type StoringFiles = { db: Db; files: FileStore; log: Logger }

/** A file to be stored; sizes in px, 0 for what is no image. */
export type NewFile = {
  bytes: Uint8Array
  extension: 'webp' | 'csv'
  mediaType: string
  width: number
  height: number
}

/** A file whose bytes are in the store, while its row is not written yet. */
export type PutFile = {
  path: string
  row: Omit<typeof files.$inferInsert, 'createdAt'>
  /** The key of the object that the existing row refers to, when that is missing or damaged. */
  damagedKey?: string
}

/**
 * The public name of a file, derived from its content: the same bytes are the same file. `file_names` of the database finds
 * such names in a text.
 */
export const pathOf = ({ bytes, extension }: Pick<NewFile, 'bytes' | 'extension'>): string =>
  `${contentName(bytes)}.${extension}`

/** Stores the bytes, outside any transaction. @throws ShopError `unavailable` when the store fails */
export async function putFile(deps: StoringFiles, file: NewFile): Promise<PutFile> {
  const path = pathOf(file)
  const { bytes, mediaType, width, height } = file
  const [before] = await deps.db.select().from(files).where(eq(files.path, path))
  const isBroken = before !== undefined && (await readObject(deps, before)) === undefined
  const objectKey = await putObject(deps.db, deps.files, file)
  const row = { path, mediaType, bytes: bytes.length, width, height, objectKey }
  return isBroken ? { path, row, damagedKey: before.objectKey } : { path, row }
}

/**
 * Writes the row of a stored file, in the caller's transaction. An existing row of the same file stays, unless its
 * object is damaged: then the new one replaces it. Removing an unused file waits until the transaction ends.
 */
export async function saveFile(tx: Tx, { path, row, damagedKey: unsound }: PutFile): Promise<void> {
  await lockNamed(tx, 'file', path)
  const [before] = await tx.select().from(files).where(eq(files.path, path))
  if (before !== undefined && before.objectKey !== unsound) return
  await claimObject(tx, row.objectKey)
  if (before === undefined) return void (await tx.insert(files).values(row))
  await tx.update(files).set({ objectKey: row.objectKey }).where(eq(files.path, path))
  await enqueueRemoval(tx, before.objectKey)
}

/**
 * Removes those of the stored files that no row refers to: after a transaction, however it ended. What can't be removed
 * now is removed later, by the job that was enqueued when it was stored.
 */
export async function removeUnreferenced(db: Db, store: FileStore, put: readonly PutFile[]): Promise<void> {
  await Promise.allSettled(put.map(({ row }) => removeIfUnreferenced(db, store, row.objectKey)))
}

export const UNUSED_QUEUE = 'files.unused'

/** Enqueues a check of each file, which removes it when nothing refers to it any more. */
export async function enqueueUnused(tx: Db | Tx, paths: readonly string[]): Promise<void> {
  for (const path of paths) await enqueue(tx, UNUSED_QUEUE, { path })
}

/**
 * Deletes the rows of a file and of its variants, and enqueues the removal of their objects, unless a category, a
 * product, a record of a box or a catch that waits for a manager refers to the file. Idempotent. A concurrent upload of the same file stores an object
 * under another key, so none is removed that a row refers to.
 */
export async function removeUnused(db: Db, path: string): Promise<void> {
  await db.transaction(async (tx) => {
    await lockNamed(tx, 'file', path)
    const [file] = await tx.select().from(files).where(eq(files.path, path)).for('update')
    if (file === undefined || (await isUsed(tx, path))) return
    const variants = await tx.select().from(fileVariants).where(eq(fileVariants.path, path))
    await tx.delete(files).where(eq(files.path, path))
    for (const { objectKey } of [file, ...variants]) await enqueueRemoval(tx, objectKey)
  })
}

async function isUsed(tx: Tx, path: string): Promise<boolean> {
  const [found] = await rows<{ used: boolean }>(
    tx,
    sql`select file_names(${path}::text) <> array[${path}::text] -- of another form, it is not found in records
          or exists (select from product_images where path = ${path})
          or exists (select from categories where image_path = ${path})
          or exists (select from records
            where kind not in ('tracking', 'freshness') and file_names(body) @> array[${path}::text])
          or exists (select from field_entries where kind = 'catch' and kept is not null
            and position(${path} in kept::text) > 0) as used`,
  )
  return found?.used !== false
}
