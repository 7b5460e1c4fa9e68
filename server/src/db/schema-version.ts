import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { type Db, rows } from './client.ts'

/** The folder of the migrations. */
export const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url))

/** The migrations of this version, in their order. */
export const readMigrations = (): MigrationMeta[] => readMigrationFiles({ migrationsFolder: MIGRATIONS })

let newest: number | undefined

/** When the newest migration of this version was made, as the table of migrations has it (Unix ms). */
export function newestMigration(): number {
  newest ??= Math.max(...readMigrations().map(({ folderMillis }) => folderMillis))
  return newest
}

/**
 * Rejects a database with migrations that this version does not know, whose data it might damage. Call it before the
 * migrations of `migrationsFolder` are run.
 * @throws Error for the operator
 */
export async function rejectNewerSchema(db: Pick<Db, 'execute'>, migrationsFolder: string): Promise<void> {
  const [table] = await rows<{ there: boolean }>(
    db as Db,
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as there`,
  )
  if (table?.there !== true) return
  const known = readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis)
  const made = await rows<{ at: string }>(
    db as Db,
    sql`select created_at::text as at from drizzle.__drizzle_migrations order by created_at`,
  )
  const unknown = made.map(({ at }) => Number(at)).filter((at) => !known.includes(at))
  if (unknown.length === 0) return
  const days = unknown.map((at) => new Date(at).toISOString().slice(0, 10))
  throw new Error(
    `The database was made by a newer version of the shop: it has migrations of ${[...new Set(days)].join(', ')} that this ` +
      'version does not know. Nothing was touched. Start the newer version again; to go back to this one, restore a ' +
      'backup from before the upgrade.',
  )
}
