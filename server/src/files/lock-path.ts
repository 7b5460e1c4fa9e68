import { sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'

/** Locks the file at `path` and its variants until the transaction ends. */
export const lockPath = (tx: Db | Tx, path: string): Promise<unknown> =>
  rows(tx, sql`select pg_advisory_xact_lock(hashtextextended(${path}, 0))`)
