import { type SQL, sql } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { type Db, rows, type Tx } from './client.ts'
import { isDatabaseUnreachable } from './unreachable.ts'

/** What becomes of a table's rows that have had their time. A feature says it of its own tables. */
export type Retention = {
  of: PgTable
  /** Ends at most so many of them in one statement, and says how many. */
  end(db: Db | Tx, now: Date, atMost: number): Promise<number>
}

/** Rows that are ended in one statement, so that none locks or writes much at once. */
const PART = 5_000

/** Deletes the rows for which this holds. */
export const deletes = (of: PgTable, isOver: (now: Date) => SQL | undefined): Retention => ({
  of,
  end: (db, now, atMost) => ended(db, of, isOver(now), atMost, sql`delete from ${of}`),
})

/** Changes the rows for which this holds, which thereby no longer does; the rest of them stays. */
export const blanks = (of: PgTable, set: SQL, isOver: (now: Date) => SQL | undefined): Retention => ({
  of,
  end: (db, now, atMost) => ended(db, of, isOver(now), atMost, sql`update ${of} set ${set}`),
})

/** A moment in hand-written statements. */
export const moment = (now: Date, agoMs = 0): SQL =>
  sql`${new Date(now.getTime() - agoMs).toISOString()}::timestamptz`

async function ended(
  db: Db | Tx,
  of: PgTable,
  isOver: SQL | undefined,
  atMost: number,
  change: SQL,
): Promise<number> {
  const { columns, primaryKeys } = getTableConfig(of)
  const key = sql.join(primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary), sql`, `)
  const [changed] = await rows<{ n: number }>(
    db,
    sql`with over as (select ${key} from ${of} where ${isOver} limit ${atMost} for update),
        changed as (${change} where (${key}) in (select * from over) returning 1)
        select count(*)::int as n from changed`,
  )
  return changed?.n ?? 0
}

type Options = { signal?: AbortSignal; atMost?: number }

/** Ends all of a table's rows that have had their time, in parts. Returns how many. */
export async function endAll(
  { end }: Retention,
  db: Db | Tx,
  now: Date,
  { signal, atMost = PART }: Options = {},
): Promise<number> {
  let all = 0
  for (let n = atMost; n >= atMost; all += n) {
    signal?.throwIfAborted()
    n = await end(db, now, atMost)
  }
  return all
}

/**
 * Carries out all of them. One that fails keeps none of the others from it.
 * @returns the rows ended, by table
 * @throws AggregateError naming the tables of which it did not get to the end
 */
export async function purge(
  db: Db,
  now: Date,
  retentions: readonly Retention[],
  options: Options = {},
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const failed: { name: string; error: unknown }[] = []
  for (const retention of retentions) {
    const { name } = getTableConfig(retention.of)
    try {
      const n = await endAll(retention, db, now, options)
      if (n > 0) counts[name] = (counts[name] ?? 0) + n
    } catch (error) {
      if (options.signal?.aborted) throw error
      failed.push({ name, error })
    }
  }
  if (failed.length === 0) return counts
  const errors = failed.map(({ error }) => error)
  const unreachable = errors.find(isDatabaseUnreachable)
  if (unreachable) throw unreachable
  throw new AggregateError(errors, `not purged: ${failed.map(({ name }) => name).join(', ')}: ${errors[0]}`)
}
