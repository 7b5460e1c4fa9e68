import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { inDataDir, makeDataDir, restrictToOwner } from '#server/config/data-dir.ts'
import { telling } from './after-commit.ts'
import { startAutovacuum } from './autovacuum.ts'
import type { Database, Db } from './client.ts'
import { acquireLock } from './directory-lock.ts'
import { schema } from './schema/index.ts'
import { MIGRATIONS, rejectNewerSchema } from './schema-version.ts'
import { Signals } from './signals.ts'

/**
 * PGlite allocates all of `shared_buffers` at start, 128 MB by default. With 16 MB, reading by key from 100 MB of rows
 * takes 10 % longer.
 */
export const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

/**
 * Opens the embedded database in `dataDir`, for one process at a time.
 * @throws Error for the operator when the folder can't be used or another process has locked it
 */
export async function openEmbedded(dataDir: string): Promise<Database> {
  await makeDataDir(dataDir)
  const unlock = await inDataDir(dataDir, () => acquireLock(dataDir))
  try {
    const folder = join(dataDir, 'database')
    const lite = await inDataDir(folder, () => PGlite.create(folder, { startParams }))
    // PGlite unpacks a new database with open modes, whatever the umask. `privateDataDir` logs a failure.
    await restrictToOwner(folder).catch(() => undefined)
    const database = await embeddedDatabase(lite, unlock).catch(async (error: unknown) => {
      await lite.close()
      throw error
    })
    const stopAutovacuum = startAutovacuum(lite)
    return { ...database, close: () => stopAutovacuum().then(database.close) }
  } catch (error) {
    await unlock()
    throw error
  }
}

/** Wraps an opened PGlite, migrated; `release` runs after it is closed. */
export async function embeddedDatabase(lite: PGlite, release: () => Promise<void>): Promise<Database> {
  const db = drizzle(lite, { schema, casing: 'snake_case' })
  await rejectNewerSchema(db, MIGRATIONS)
  await migrate(db, { migrationsFolder: MIGRATIONS })
  const heldLocks = new Set<number>()
  const answers = async (): Promise<boolean> => true // it is in this process
  const told: Db = db
  const signals = new Signals(told, { answers })
  told.transaction = telling(db.transaction.bind(db), (channels) => signals.tell(channels))
  return {
    db: told,
    kind: 'embedded',
    tell: (channels) => signals.tell(channels),
    listen: (channel, onNotify) => lite.listen(channel, onNotify),
    withLeadership: async (key, work) => {
      heldLocks.add(key)
      await work({ lost: new AbortController().signal, check: async () => undefined }).finally(() =>
        heldLocks.delete(key),
      )
      return true
    },
    leads: (key) => heldLocks.has(key),
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
