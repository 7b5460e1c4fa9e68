import { cp, readdir, stat, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { drizzle as drizzleOnPg } from 'drizzle-orm/node-postgres'
import { drizzle as drizzleOnLite } from 'drizzle-orm/pglite'
import pg from 'pg'
import { type Db, ONE_MOMENT, rows, type Tx } from '#server/db/client.ts'
import { isLocked } from '#server/db/directory-lock.ts'
import { startParams } from '#server/db/embedded.ts'
import { askForCopy } from '#server/db/embedded-copy.ts'
import { schema } from '#server/db/schema/index.ts'
import { temporaryFolder } from './temporary.ts'

/** A database that is only read, whatever is asked: the server refuses writes, or it is a copy. */
export type Reading = {
  readonly kind: 'postgres' | 'embedded'
  /** Whose every transaction is read only; undefined where that can't be had for a whole session. */
  readonly db: Db | undefined
  /** Runs `work` in one transaction, none of whose statements takes longer. */
  read<Made>(limitMs: number, work: (tx: Tx) => Promise<Made>): Promise<Made>
  close(): Promise<void>
}

const CONNECT_MS = 3_000
/** A server that says nothing for so long, after the limit of a statement, hangs. */
const SILENCE_MS = 2_000

/**
 * Reads the database at an address, each transaction read only; where no pooler is in front each session too, which one
 * that others get next must not be.
 * @param longestMs of any statement
 */
export function readingPostgres(address: string, isPooled: boolean, longestMs: number): Reading {
  const pool = new pg.Pool({
    connectionString: address,
    max: 2,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: longestMs + SILENCE_MS,
    ...(isPooled
      ? {}
      : {
          onConnect: async (client) =>
            void (await client.query(
              `set session characteristics as transaction read only;
               set statement_timeout = ${longestMs}; set lock_timeout = 2000; set jit = off`,
            )),
        }),
  })
  pool.on('error', () => undefined) // the query that fails reports it
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db: Db = drizzleOnPg(pool, { schema, casing: 'snake_case' })
  return {
    kind: 'postgres',
    db: isPooled ? undefined : db,
    read: (limitMs, work) =>
      db.transaction(async (tx) => {
        await rows(tx, sql.raw(`set local statement_timeout = ${limitMs}`))
        return work(tx)
      }, ONE_MOMENT),
    close: async () => void pool.end().catch(() => undefined), // one that hangs is not waited for
  }
}

/** Reads a copy of an embedded database, and removes it at the end. */
async function readingCopy(copy: { folder: string; remove(): Promise<void> }): Promise<Reading> {
  try {
    const lite = await PGlite.create(copy.folder, { startParams })
    const db: Db = drizzleOnLite(lite, { schema, casing: 'snake_case' })
    return {
      kind: 'embedded',
      db,
      read: (_limitMs, work) => db.transaction(work, ONE_MOMENT),
      close: () => lite.close().finally(copy.remove),
    }
  } catch (error) {
    await copy.remove()
    throw error
  }
}

/** Why an embedded database is not read. */
export class NotRead extends Error {}

/**
 * Reads the embedded database of a folder, from a copy: of one that no process has open in a folder of temporary files, else
 * one that its process makes, where `mayAsk`. The folder of the shop is not touched otherwise.
 * @throws NotRead
 */
export async function readingEmbedded(dataDir: string, mayAsk: boolean): Promise<Reading> {
  const folder = join(dataDir, 'database')
  if ((await stat(folder).catch(() => undefined)) === undefined)
    throw new NotRead(`There is no database in ${dataDir} yet: the shop was never started there.`)
  const isOpen = isLocked(dataDir)
  if (isOpen === undefined)
    throw new NotRead(`It can't be found out whether a process has ${folder} open, so it is not read.`)
  if (!isOpen) return readingCopy(await temporaryCopy(dataDir, folder))
  if (!mayAsk)
    throw new NotRead(
      'The shop has its database open. What it says itself is below; --deep reads a copy of it.',
    )
  return readingCopy(await askForCopy(dataDir))
}

async function temporaryCopy(dataDir: string, folder: string) {
  const bytes = await sizeOf(folder)
  const { bavail, bsize } = await statfs(tmpdir())
  if (bytes * 1.1 > bavail * bsize)
    throw new NotRead(
      `A copy of the database needs ${Math.ceil(bytes / 2 ** 20)} MiB in ${tmpdir()}, which has less: set TMPDIR.`,
    )
  const { path, remove } = await temporaryFolder('doctor')
  try {
    await cp(folder, join(path, 'database'), { recursive: true })
    if (isLocked(dataDir) !== false)
      throw new NotRead('The shop was started while its database was copied: ask again.')
    return { folder: join(path, 'database'), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size
  return bytes
}
