import { eq, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { files, fileVariants } from '#server/db/schema/files.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { holdPath } from './hold-path.ts'
import type { FileStore } from './port.ts'
import { variantKey } from './variants.ts'

export const UNUSED_QUEUE = 'files.unused'

/** Has a file looked at, and removed when nothing refers to it, after the surrounding transaction commits. */
export async function enqueueUnused(tx: Db | Tx, paths: readonly string[], runAt?: Date): Promise<void> {
  for (const path of paths) await enqueue(tx, UNUSED_QUEUE, { path }, runAt ? { uniqueKey: path, runAt } : {})
}

/**
 * Removes a file, its narrower copies and its row, unless a category, a product or a record of a box names it.
 * Harmless when run again. The bytes go before the row is gone for good: should the commit fail, the row stays,
 * and the next run removes it.
 */
export async function removeUnused(db: Db, store: FileStore, path: string): Promise<void> {
  await db.transaction(async (tx) => {
    await holdPath(tx, path)
    const [file] = await tx.select().from(files).where(eq(files.path, path)).for('update')
    if (file !== undefined && (await isUsed(tx, path))) return
    const variants = await tx.select().from(fileVariants).where(eq(fileVariants.path, path))
    await tx.delete(files).where(eq(files.path, path))
    for (const { width, format } of variants) await store.remove(variantKey(path, width, format))
    await store.remove(path)
  })
}

async function isUsed(tx: Tx, path: string): Promise<boolean> {
  const [found] = await rows<{ used: boolean }>(
    tx,
    sql`select exists (select from product_images where path = ${path})
          or exists (select from categories where image_path = ${path})
          or exists (select from records where position(${path} in body) > 0) as used`,
  )
  return found?.used !== false
}
