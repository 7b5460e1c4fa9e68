import { createHash } from 'node:crypto'
import type { Db, Tx } from '#server/db/client.ts'
import { files } from '#server/db/schema/files.ts'
import type { FileStore } from './port.ts'

/** Stores a sensor's data file (CSV) under its hash, with its row in the caller's transaction. Answers its path. */
export async function storeDataFile(tx: Db | Tx, store: FileStore, bytes: Uint8Array): Promise<string> {
  const path = `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.csv`
  await store.put(path, bytes)
  const row = { path, mediaType: 'text/csv; charset=utf-8', bytes: bytes.length, width: 0, height: 0 }
  await tx.insert(files).values(row).onConflictDoNothing()
  return path
}
