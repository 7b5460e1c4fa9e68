import { access, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/config/config.ts'
import { makeDataDir, restrictToOwner } from '#server/config/data-dir.ts'
import { advisoryLocks } from '#server/db/advisory-locks.ts'
import { acquireLock } from '#server/db/directory-lock.ts'
import { embeddedSession } from './embedded-session.ts'
import { BackupRefused } from './frames.ts'
import { postgresSession, SETTINGS, type Session } from './session.ts'
import { countRelations } from './tables.ts'

/** An empty database that is filled beside what a shop would see of it. */
export type Target = {
  readonly kind: 'embedded' | 'postgres'
  readonly session: Session
  /** Makes it the shop's, at once. */
  commit(): Promise<void>
  /** Leaves nothing of it; also when it was committed only in part. */
  discard(): Promise<void>
}

/**
 * The database that the settings name.
 * @param empty takes away what may be replaced, in the transaction of the restore; only in PostgreSQL
 * @throws BackupRefused when it is not empty
 */
export function openTarget(
  config: Pick<Config, 'DATA_DIR' | 'DATABASE_URL' | 'DATABASE_DIRECT_URL'>,
  empty?: (session: Session) => Promise<void>,
): Promise<Target> {
  const url = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL
  return url === undefined ? embeddedTarget(config.DATA_DIR) : postgresTarget(url, empty)
}

/** One transaction: until its commit nobody sees any of it, and what kills this process leaves nothing. */
async function postgresTarget(url: string, empty?: (session: Session) => Promise<void>): Promise<Target> {
  const session = await postgresSession(url)
  try {
    await session.query(`begin; ${SETTINGS}`)
    // A shop that starts meanwhile waits, and finds a shop's database then.
    await session.query('select pg_advisory_xact_lock($1)', [advisoryLocks.migration])
    const [found] = await session.query<{ encoding: string; name: string }>(
      `select current_setting('server_encoding') as encoding, current_database() as name`,
    )
    await empty?.(session)
    const relations = await countRelations(session)
    if (relations > 0)
      throw new BackupRefused(
        `The database ${found?.name} is not empty: it has ${relations} tables and sequences. A backup is restored into an empty one: create another, and name it in DATABASE_URL.`,
      )
    if (found?.encoding !== 'UTF8')
      throw new BackupRefused(
        `The database ${found?.name} has the encoding ${found?.encoding}: create it with encoding 'UTF8' and template template0.`,
      )
    return {
      kind: 'postgres',
      session,
      commit: async () => {
        await session.query('commit')
        await session.close()
      },
      discard: () => session.close(), // which rolls back
    }
  } catch (error) {
    await session.close()
    throw error
  }
}

/** Where an embedded database is filled. One of a restore that was killed is removed by the next. */
const SIDE = 'restoring'

/** A folder of its own in DATA_DIR, which gets its name when it is whole and on the disk. */
async function embeddedTarget(dataDir: string): Promise<Target> {
  await makeDataDir(dataDir)
  const unlock = await acquireLock(dataDir)
  const [side, final] = [join(dataDir, SIDE), join(dataDir, 'database')]
  const discard = async (): Promise<void> => {
    await rm(side, { recursive: true, force: true })
    await unlock()
  }
  try {
    if (await isThere(final))
      throw new BackupRefused(
        `${dataDir} holds a shop already: a backup is restored into an empty DATA_DIR. Name another, or move ${final} away.`,
      )
    await rm(side, { recursive: true, force: true })
    await mkdir(side, { mode: 0o700 })
    const session = await embeddedSession(join(side, 'database'))
    await session.query(`begin; ${SETTINGS}`)
    let isOpen = true
    const close = async (): Promise<void> => {
      if (isOpen) await session.close()
      isOpen = false
    }
    return {
      kind: 'embedded',
      session,
      commit: async () => {
        await session.query('commit')
        await close()
        await restrictToOwner(side)
        await syncAll(join(side, 'database')) // PGlite does not
        await rename(join(side, 'database'), final)
        await syncFolder(dataDir)
        await discard()
      },
      discard: async () => {
        await close().catch(() => undefined) // of one that a full disk stopped
        await discard()
      },
    }
  } catch (error) {
    await discard()
    throw error
  }
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Everything in `folder` is on the disk then. */
async function syncAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await syncAll(path)
    else if (entry.isFile()) await syncPath(path)
  }
  await syncFolder(folder)
}

async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** New names in a folder are on the disk then. */
export const syncFolder = (folder: string): Promise<void> => syncPath(folder)
