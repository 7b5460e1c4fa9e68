import { createHash, randomBytes } from 'node:crypto'
import { HOUR_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import { eq, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { pendingObjects } from '#server/db/schema/files.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { type FileStore, throttle } from './file-store.ts'

export const OBJECT_QUEUE = 'files.object'

/** A process that crashes before it writes an object's row leaves an orphan: the check for it runs after this time. */
const ORPHAN_CHECK_DELAY_MS = 15 * 60_000

/**
 * Stores bytes under a unique key, outside any transaction. The row that refers to the key has to claim it
 * (`claimObject`); an unclaimed object is removed later.
 * @throws ShopError `unavailable` when the store fails
 */
export async function putObject(
  db: Db,
  store: FileStore,
  { bytes, extension }: { bytes: Uint8Array; extension: string },
): Promise<string> {
  const key = newObjectKey(bytes, extension)
  await db.transaction(async (tx) => {
    await tx.insert(pendingObjects).values({ key })
    const runAt = new Date(Date.now() + ORPHAN_CHECK_DELAY_MS)
    await enqueue(tx, OBJECT_QUEUE, { key }, { runAt, uniqueKey: key })
  })
  await store.put(key, bytes)
  return key
}

/**
 * Claims the object for a row that the caller's transaction writes: from its commit on the object is not an orphan.
 * @throws ShopError `unavailable` when it was removed meanwhile
 */
export async function claimObject(tx: Tx, key: string): Promise<void> {
  const claimed = await tx.delete(pendingObjects).where(eq(pendingObjects.key, key)).returning()
  if (claimed.length === 0)
    throw new ShopError('unavailable', 'Storing the files took too long. Please try again.')
  await rows(tx, sql`delete from jobs where queue = ${OBJECT_QUEUE} and unique_key = ${key}`)
}

/** Enqueues the removal of an object, which happens after the commit and only if no row refers to it. */
export const enqueueRemoval = (tx: Tx, key: string): Promise<void> => enqueue(tx, OBJECT_QUEUE, { key })

/**
 * Removes an object unless a row refers to it. After that decision no row can refer to it any more: a key is claimed
 * once and never reused. So the removal itself needs no transaction and is idempotent.
 */
export async function removeIfUnreferenced(db: Db, store: FileStore, key: string): Promise<void> {
  const referenced = await db.transaction(async (tx) => {
    await tx.delete(pendingObjects).where(eq(pendingObjects.key, key))
    return isReferenced(tx, key)
  })
  if (!referenced) await store.remove(key)
}

async function isReferenced(tx: Tx, key: string): Promise<boolean> {
  const [found] = await rows<{ named: boolean }>(
    tx,
    sql`select exists (select from files where object_key = ${key})
          or exists (select from file_variants where object_key = ${key})
          or exists (select from complaint_photos where object_key = ${key})
          or exists (select from box_archives where object_key = ${key}) as named`,
  )
  return found?.named !== false
}

/** What a row knows of an object: its file, key and size. */
export type StoredObject = { path: string; objectKey: string; bytes: number }

const shouldLog = throttle(HOUR_MS)

/**
 * The bytes of an object that a row refers to; undefined when they are missing or damaged, which is logged once an hour
 * for each file. Hashing takes about a millisecond for a megabyte, and most variants have some ten kilobytes, so they
 * are verified each time.
 * @throws ShopError `unavailable` when the store fails
 */
export async function readObject(
  { files: store, log }: { files: FileStore; log: Logger },
  { path, objectKey, bytes: size }: StoredObject,
): Promise<Uint8Array | undefined> {
  const bytes = await store.read(objectKey)
  if (bytes !== undefined && isIntact(objectKey, bytes, size)) return bytes
  const wrong = bytes === undefined ? 'is missing' : 'is damaged'
  if (shouldLog(objectKey))
    log.error({ path, objectKey, size, found: bytes?.length }, `a stored file ${wrong}`)
  return undefined
}

/** The content hash that names bytes: the first half of their SHA-256, in hex. */
export const contentName = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 32)

/** The key of a new object: its content hash, and a random part that makes it unique for ever. */
const newObjectKey = (bytes: Uint8Array, extension: string): string =>
  `${contentName(bytes)}.${randomBytes(8).toString('hex')}.${extension}`

const NAMED_BY_CONTENT = /^([0-9a-f]{32})\./

/**
 * Are these the bytes that were stored under `key`? Variants from before objects had keys of their own are not named by
 * their content: for those only the size is compared. Source: docs/decisions/0021.
 */
export function isIntact(key: string, bytes: Uint8Array, size: number): boolean {
  const [, name] = NAMED_BY_CONTENT.exec(key) ?? []
  return bytes.length === size && (name === undefined || name === contentName(bytes))
}
