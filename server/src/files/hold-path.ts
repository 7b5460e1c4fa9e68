import { sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'

/** Until the transaction ends nobody else stores or removes the file at `path` or its copies. */
export const holdPath = (tx: Db | Tx, path: string): Promise<unknown> =>
  rows(tx, sql`select pg_advisory_xact_lock(hashtextextended(${path}, 0))`)
