import { ShopError } from '@befaqt/domain/errors'
import { eq, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { pendingObjects } from '#server/db/schema/files.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { newObjectKey } from './object-key.ts'
import type { FileStore } from './port.ts'

export const OBJECT_QUEUE = 'files.object'

/** A process that dies between storing an object and the row that names it leaves it behind: looked for after this. */
const LOOK_AFTER_MS = 15 * 60_000

/**
 * Stores bytes under a key of their own, outside any transaction. The row that names the key has to claim it
 * (`claimObject`); an object that nobody claims is removed later.
 * @throws ShopError `unavailable` when the store does not take it
 */
export async function putObject(
  db: Db,
  store: FileStore,
  { bytes, extension }: { bytes: Uint8Array; extension: string },
): Promise<string> {
  const key = newObjectKey(bytes, extension)
  await db.transaction(async (tx) => {
    await tx.insert(pendingObjects).values({ key })
    const runAt = new Date(Date.now() + LOOK_AFTER_MS)
    await enqueue(tx, OBJECT_QUEUE, { key }, { runAt, uniqueKey: key })
  })
  await store.put(key, bytes)
  return key
}

/**
 * Takes the object for the row that the caller's transaction writes. From its commit on nobody removes it; if it
 * fails, the object is as it was.
 * @throws ShopError `unavailable` when it was removed meanwhile
 */
export async function claimObject(tx: Tx, key: string): Promise<void> {
  const claimed = await tx.delete(pendingObjects).where(eq(pendingObjects.key, key)).returning()
  if (claimed.length === 0)
    throw new ShopError('unavailable', 'Storing the files took too long. Please try again.')
  await rows(tx, sql`delete from jobs where queue = ${OBJECT_QUEUE} and unique_key = ${key}`)
}

/** Has an object removed, if no row names it, once the surrounding transaction has committed. */
export const enqueueRemoval = (tx: Tx, key: string): Promise<void> => enqueue(tx, OBJECT_QUEUE, { key })

/**
 * Removes an object unless a row names it. After the decision no row can name it any more: a key is claimed once and
 * is never given again. So the removal itself needs no transaction, and is harmless when run again or late.
 */
export async function removeUnnamed(db: Db, store: FileStore, key: string): Promise<void> {
  const named = await db.transaction(async (tx) => {
    await tx.delete(pendingObjects).where(eq(pendingObjects.key, key))
    return isNamed(tx, key)
  })
  if (!named) await store.remove(key)
}

async function isNamed(tx: Tx, key: string): Promise<boolean> {
  const [found] = await rows<{ named: boolean }>(
    tx,
    sql`select exists (select from files where object_key = ${key})
          or exists (select from file_variants where object_key = ${key}) as named`,
  )
  return found?.named !== false
}
