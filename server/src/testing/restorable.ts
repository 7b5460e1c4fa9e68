import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Database } from '#server/db/client.ts'
import { openEmbedded } from '#server/db/embedded.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { testPostgresUrl } from './database.ts'
import { unpackEmptyDatabase } from './empty-database.ts'

/** A database that tests back up and restore as an operator would. Use with `await using`. */
export type Restorable = AsyncDisposable & {
  /** Settings that name it. */
  env: Record<string, string>
  open(): Promise<Database>
  /** As in docs/operations.md; the embedded one must be closed. */
  backUp(): Promise<void>
  /** Restores the backup; the database must be closed. */
  restore(): Promise<void>
}

/** DATA_DIR, copied whole. */
export async function restorableEmbedded(): Promise<Restorable> {
  const root = await mkdtemp(join(tmpdir(), 'befaqt-restore-'))
  const [data, backup] = [join(root, 'data'), join(root, 'backup')]
  return {
    env: { DATA_DIR: data },
    open: async () => {
      // What is not about first starts goes without the six seconds of one.
      if (!existsSync(join(data, 'database')))
        await mkdir(data, { recursive: true, mode: 0o700 }).then(() => unpackEmptyDatabase(data))
      return openEmbedded(data)
    },
    backUp: () => cp(data, backup, { recursive: true }),
    restore: async () => {
      await rm(data, { recursive: true })
      await cp(backup, data, { recursive: true })
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}

/** `pg_dump` and `psql`, of PostgreSQL's own. */
export async function restorablePostgres(): Promise<Restorable> {
  const root = await mkdtemp(join(tmpdir(), 'befaqt-restore-'))
  const name = `befaqt_restore_${randomUUID().replaceAll('-', '')}`
  const url = Object.assign(new URL(testPostgresUrl ?? ''), { pathname: `/${name}` }).href
  const dump = join(root, 'backup.sql')
  const make = () => onServer(`create database ${name}`)
  const drop = () => onServer(`drop database if exists ${name} with (force)`)
  await make()
  return {
    env: { DATA_DIR: join(root, 'data'), DATABASE_URL: url },
    open: () => openPostgres(url, () => undefined),
    backUp: async () => void execFileSync(program('pg_dump'), ['--file', dump, url]),
    restore: async () => {
      await drop()
      await make()
      execFileSync(program('psql'), ['--quiet', '--set', 'ON_ERROR_STOP=1', '--file', dump, url])
    },
    [Symbol.asyncDispose]: async () => {
      await drop()
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** Debian keeps them in a folder for each version. */
const program = (name: string): string => globSync(`/usr/lib/postgresql/*/bin/${name}`).sort().at(-1) ?? name

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: testPostgresUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
