import { sql } from 'drizzle-orm'
import { rows, type Tx } from '#server/db/client.ts'

/**
 * Rows that this connection read of each table and has not yet told the server's statistics, which it does at the end of
 * a transaction now and then.
 */
const untold = async (tx: Tx): Promise<Map<string, number>> => {
  const found = await rows<{ relname: string; rows: number }>(
    tx,
    sql`select relname, (seq_tup_read + greatest(idx_tup_fetch, (
            select sum(pg_stat_get_xact_tuples_returned(indexrelid)) from pg_index where indrelid = relid)))::int as rows
        from pg_stat_xact_user_tables`,
  )
  return new Map(found.map(({ relname, rows }) => [relname, rows]))
}

/**
 * How many rows of each of these tables `work` reads, in a transaction of PostgreSQL, or entries of its indexes, where these
 * are more: some indexes give the first row only when they have read all that match.
 */
export async function rowsRead<Table extends string>(
  tx: Tx,
  tables: readonly Table[],
  work: () => Promise<unknown>,
): Promise<Record<Table, number>> {
  const before = await untold(tx)
  await work()
  const after = await untold(tx)
  const read = (table: Table): number => (after.get(table) ?? 0) - (before.get(table) ?? 0)
  return Object.fromEntries(tables.map((table) => [table, read(table)])) as Record<Table, number>
}
