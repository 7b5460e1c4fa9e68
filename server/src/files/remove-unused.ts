import { eq, sql } from 'drizzle-orm'
import { lockNamed } from '#server/db/advisory-locks.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { files, fileVariants } from '#server/db/schema/files.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { enqueueRemoval } from './objects.ts'

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
    sql`select exists (select from product_images where path = ${path})
          or exists (select from categories where image_path = ${path})
          or exists (select from records where position(${path} in body) > 0)
          or exists (select from field_entries where kind = 'catch' and kept is not null
            and position(${path} in kept::text) > 0) as used`,
  )
  return found?.used !== false
}
