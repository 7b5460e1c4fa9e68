import { ShopError } from '@befaqt/domain/errors'
import { eq, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { pendingObjects } from '#server/db/schema/files.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { newObjectKey } from './object-key.ts'
import type { FileStore } from './port.ts'

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
          or exists (select from file_variants where object_key = ${key}) as named`,
  )
  return found?.named !== false
}
