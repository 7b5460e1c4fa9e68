import { eq } from 'drizzle-orm'
import type { Logger } from 'pino'
import { lockNamed } from '#server/db/advisory-locks.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { files } from '#server/db/schema/files.ts'
import { contentName } from './object-key.ts'
import { claimObject, enqueueRemoval, putObject, removeIfUnreferenced } from './objects.ts'
import type { FileStore } from './port.ts'
import { readObject } from './read-object.ts'

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

/** The public name of a file, derived from its content: the same bytes are the same file. */
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
