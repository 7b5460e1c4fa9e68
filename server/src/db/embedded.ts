import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { migrate } from 'drizzle-orm/pglite/migrator'
import { inDataDir, makeDataDir, restrictToOwner } from '#server/config/data-dir.ts'
import { startAutovacuum } from './autovacuum.ts'
import type { Database } from './client.ts'
import { acquireLock } from './directory-lock.ts'
import { MIGRATIONS } from './postgres.ts'
import { rejectNewerSchema } from './reject-newer-schema.ts'
import { schema } from './schema/index.ts'

/**
 * PGlite takes all of `shared_buffers` at start and has 128 MB by default. With 16 MB, reading by key from 100 MB of
 * rows takes a tenth longer.
 */
export const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

/**
 * Opens the embedded database in `dataDir`. One process only: a second is refused with a sentence.
 * @throws Error with a sentence when the folder can't be used, or another living process holds it
 */
export async function openEmbedded(dataDir: string): Promise<Database> {
  await makeDataDir(dataDir)
  const unlock = await inDataDir(dataDir, () => acquireLock(dataDir))
  try {
    const folder = join(dataDir, 'database')
    const lite = await inDataDir(folder, () => PGlite.create(folder, { startParams }))
    // A new database is unpacked for all to read and write, whatever the umask. Without modes: `privateDataDir` tells.
    await restrictToOwner(folder).catch(() => undefined)
    const database = await embeddedDatabase(lite, unlock).catch(async (error: unknown) => {
      await lite.close()
      throw error
    })
    const leaveUntidy = startAutovacuum(lite)
    return { ...database, close: () => leaveUntidy().then(database.close) }
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
  const led = new Set<number>()
  return {
    db,
    kind: 'embedded',
    listen: (channel, heard) => lite.listen(channel, heard),
    withLeadership: async (key, work) => {
      led.add(key)
      await work({ lost: new AbortController().signal, check: async () => undefined }).finally(() =>
        led.delete(key),
      )
      return true
    },
    leads: (key) => led.has(key),
    leaderSilence: async (key) => (led.has(key) ? 0 : null),
    pool: () => undefined,
    close: async () => {
      await lite.close()
      await release()
    },
  }
}
