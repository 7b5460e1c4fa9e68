import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'

const CHECK_MS = 20_000

/**
 * Tables whose dead, changed or new rows exceed the thresholds of PostgreSQL's autovacuum. The statistics are lost when
 * the database is closed, so tables most of whose pages were never vacuumed are included.
 * Source: PostgreSQL 18, §24.1.6 and the defaults of §19.10.
 */
const NEEDS_VACUUM = `
  select format('%I.%I', s.schemaname, s.relname) as name
  from pg_stat_user_tables s join pg_class c on c.oid = s.relid
  where s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
    or s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
    or s.n_ins_since_vacuum > 1000 + 0.2 * greatest(c.reltuples, 0)
    or (pg_relation_size(c.oid) >= 32 * 8192 and c.relallvisible < 0.8 * pg_relation_size(c.oid) / 8192)
  order by name`

/**
 * Replaces the autovacuum of a server, for which PGlite has no process: without it every change would leave a dead row
 * that each later query reads. Returns the tables that were vacuumed. 10,000 changed products take 0.1 s.
 */
export async function vacuumTables(lite: PGlite): Promise<string[]> {
  await lite.query('select pg_stat_force_next_flush()') // includes the last second
  const { rows } = await lite.query<{ name: string }>(NEEDS_VACUUM)
  for (const { name } of rows) {
    await yieldToEventLoop()
    await lite.exec(`vacuum (analyze) ${name}`)
  }
  return rows.map(({ name }) => name)
}

const warn = (error: unknown): void => process.emitWarning(`VACUUM failed: ${error}`)

/** Vacuums at an interval. Returns a function that stops it and waits for a running vacuum. */
export function startAutovacuum(lite: PGlite): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(() => vacuumTables(lite)).catch(warn)
  }, CHECK_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
