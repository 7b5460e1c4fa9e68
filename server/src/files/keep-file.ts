import { eq } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Db, Tx } from '#server/db/client.ts'
import { files } from '#server/db/schema/files.ts'
import { holdPath } from './hold-path.ts'
import { contentName } from './object-key.ts'
import { claimObject, enqueueRemoval, putObject, removeUnnamed } from './objects.ts'
import type { FileStore } from './port.ts'
import { readObject } from './read-object.ts'

/** What storing files takes. */
export type StoringFiles = { db: Db; files: FileStore; log: Logger }

/** A file that we keep; sizes in px, 0 for what is no picture. */
export type NewFile = {
  bytes: Uint8Array
  extension: 'webp' | 'csv'
  mediaType: string
  width: number
  height: number
}

/** A file whose bytes are in the store, and whose row is still to be written. */
export type PutFile = {
  path: string
  row: Omit<typeof files.$inferInsert, 'createdAt'>
  /** Key of an object that the row of the same content names, but that is missing or damaged. */
  unsound?: string
}

/** Public name of a file: what it holds. The same bytes are the same file. */
export const pathOf = ({ bytes, extension }: Pick<NewFile, 'bytes' | 'extension'>): string =>
  `${contentName(bytes)}.${extension}`

/** Stores the bytes, outside any transaction. @throws ShopError `unavailable` when the store does not take them */
export async function putFile(deps: StoringFiles, file: NewFile): Promise<PutFile> {
  const path = pathOf(file)
  const { bytes, mediaType, width, height } = file
  const [before] = await deps.db.select().from(files).where(eq(files.path, path))
  const isBroken = before !== undefined && (await readObject(deps, before)) === undefined
  const objectKey = await putObject(deps.db, deps.files, file)
  const row = { path, mediaType, bytes: bytes.length, width, height, objectKey }
  return isBroken ? { path, row, unsound: before.objectKey } : { path, row }
}

/**
 * Writes the row of a file that was put, in the caller's transaction. Where the same file is there already, it stays,
 * unless its object is broken: then the new one takes its place. Whoever removes an unused file waits until the
 * transaction ends.
 */
export async function keepFile(tx: Tx, { path, row, unsound }: PutFile): Promise<void> {
  await holdPath(tx, path)
  const [before] = await tx.select().from(files).where(eq(files.path, path))
  if (before !== undefined && before.objectKey !== unsound) return
  await claimObject(tx, row.objectKey)
  if (before === undefined) return void (await tx.insert(files).values(row))
  await tx.update(files).set({ objectKey: row.objectKey }).where(eq(files.path, path))
  await enqueueRemoval(tx, before.objectKey)
}

/**
 * Removes those of the put files that no row names: after a transaction, however it ended. What can't be removed now
 * is removed later by the job that its storing wrote.
 */
export async function dropUnnamed(db: Db, store: FileStore, put: readonly PutFile[]): Promise<void> {
  await Promise.allSettled(put.map(({ row }) => removeUnnamed(db, store, row.objectKey)))
}
