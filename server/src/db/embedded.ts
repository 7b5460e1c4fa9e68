import { join } from 'node:path'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { inDataDir, makeDataDir, restrictToOwner } from '#server/config/data-dir.ts'
import { isTracing } from '#server/tracing/trace.ts'
import { telling } from './after-commit.ts'
import type { Database, Db } from './client.ts'
import { acquireLock } from './directory-lock.ts'
import { answerCopies } from './embedded-copy.ts'
import { schema } from './schema/index.ts'
import { MIGRATIONS, rejectNewerSchema } from './schema-version.ts'
import { Signals } from './signals.ts'
import type { SlowStatements } from './slow-statements.ts'
import { readingAsDrizzle, watchedEmbedded, watchStatements } from './statements.ts'

/**
 * PGlite allocates all of `shared_buffers` at start, 128 MB by default. With 16 MB, reading by key from 100 MB of rows
 * takes 10 % longer.
 */
export const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

/**
 * Opens the embedded database in `dataDir`, for one process at a time.
 * @throws Error for the operator when the folder can't be used or another process has locked it
 */
export async function openEmbedded(dataDir: string, slow?: SlowStatements): Promise<Database> {
  await makeDataDir(dataDir)
  const unlock = await inDataDir(dataDir, () => acquireLock(dataDir))
  try {
    const folder = join(dataDir, 'database')
    const lite = await inDataDir(folder, () => PGlite.create(folder, { startParams }))
    // PGlite unpacks a new database with open modes, whatever the umask. `privateDataDir` logs a failure.
    await restrictToOwner(folder).catch(() => undefined)
    const database = await embeddedDatabase(lite, unlock, slow).catch(async (error: unknown) => {
      await lite.close()
      throw error
    })
    const stopAutovacuum = startAutovacuum(lite)
    const stopCopies = answerCopies(lite, dataDir)
    return { ...database, close: () => stopCopies().then(stopAutovacuum).then(database.close) }
  } catch (error) {
    await unlock()
    throw error
  }
}

/** Wraps an opened PGlite, migrated; `release` runs after it is closed. */
export async function embeddedDatabase(
  lite: PGlite,
  release: () => Promise<void>,
  slow?: SlowStatements,
): Promise<Database> {
  const watched = watchedEmbedded(readingAsDrizzle(lite), watchStatements(isTracing(), slow))
  const db = drizzle(watched, { schema, casing: 'snake_case' })
  await rejectNewerSchema(db, MIGRATIONS)
  await migrate(db, { migrationsFolder: MIGRATIONS })
  const heldLocks = new Set<number>()
  const answers = async (): Promise<boolean> => true // it is in this process
  const told: Db = db
  const signals = new Signals(told, { answers })
  told.transaction = telling(db.transaction.bind(db), (news) => signals.committed(news))
  slow?.planBy({ db: told, pool: () => undefined })
  return {
    db: told,
    kind: 'embedded',
    tell: (news) => signals.tell(news),
    takeOwn: (news, take) => signals.takeOwn(news, take),
    listen: (channel, onNotify) => lite.listen(channel, onNotify),
    withLeadership: async (key, work) => {
      heldLocks.add(key)
      await work({ lost: new AbortController().signal, check: async () => undefined }).finally(() =>
        heldLocks.delete(key),
      )
      return true
    },
    leads: (key) => heldLocks.has(key),
    led: async (first, count) =>
      Array.from({ length: count }, (_, i) => i).filter((i) => heldLocks.has(first + i)),
    leaderSilence: async (key) => (heldLocks.has(key) ? 0 : null),
    answers,
    pool: () => undefined,
    close: async () => {
      await signals.close()
      await lite.close()
      await release()
    },
  }
}

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
function startAutovacuum(lite: PGlite): () => Promise<void> {
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
