import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import type { Expected } from '../fixtures/seed-shop.ts'
import { freshDatabase, onDatabase } from './postgres.ts'

const fixtures = join(import.meta.dirname, '../fixtures')

/** Every row of every table, by table name; of tables in another schema than `public` with its name before it. */
export type Rows = Record<string, Record<string, unknown>[]>

/** Unpacked data of an older version. Use with `await using`. */
export type OldShop = AsyncDisposable & {
  dataDir: string
  expected: Expected
  /** Settings for a server on it, beside DATA_DIR. */
  env: Record<string, string>
  /** Reads the whole database; the embedded one only while no server runs on it. */
  rows(): Promise<Rows>
  /** Runs SQL on the database; the embedded one as above. */
  exec(sql: string): Promise<void>
}

/** The data of `version` on the embedded database. */
export async function oldEmbeddedShop(version: string): Promise<OldShop> {
  const dataDir = await unpack(version, 'embedded')
  const withLite = async <T>(work: (lite: PGlite) => Promise<T>): Promise<T> => {
    const lite = await PGlite.create(join(dataDir, 'database'))
    try {
      return await work(lite)
    } finally {
      await lite.close()
    }
  }
  return {
    dataDir,
    expected: await expectedOf(version, 'embedded'),
    env: {},
    rows: () => withLite((lite) => readRows(async (sql) => (await lite.query<pg.QueryResultRow>(sql)).rows)),
    exec: (sql) => withLite(async (lite) => void (await lite.exec(sql))),
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  }
}

/** The data of `version` on PostgreSQL: its dump in a database of its own. */
export async function oldPostgresShop(version: string): Promise<OldShop> {
  const database = await freshDatabase()
  const dataDir = await unpack(version, 'postgres')
  const dump = gunzipSync(await readFile(join(fixtures, version, 'postgres.sql.gz'))).toString()
  await onDatabase(database.url, dump)
  return {
    dataDir,
    expected: await expectedOf(version, 'postgres'),
    env: { DATABASE_URL: database.url },
    rows: async () => {
      const pool = new pg.Pool({ connectionString: database.url, max: 1 })
      try {
        return await readRows(async (sql) => (await pool.query(sql)).rows)
      } finally {
        await pool.end()
      }
    },
    exec: (sql) => onDatabase(database.url, sql),
    [Symbol.asyncDispose]: async () => {
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

const expectedOf = async (version: string, kind: string): Promise<Expected> =>
  JSON.parse(await readFile(join(fixtures, version, `${kind}-expected.json`), 'utf8'))

async function unpack(version: string, kind: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'befaqt-old-shop-'))
  const tar = zstdDecompressSync(await readFile(join(fixtures, version, `${kind}-data.tar.zst`)))
  execFileSync('tar', ['-C', dataDir, '-xf', '-'], { input: tar })
  return dataDir
}

type Query = (sql: string) => Promise<pg.QueryResultRow[]>

async function readRows(query: Query): Promise<Rows> {
  const tables = await query(
    `select table_schema || '.' || table_name as name from information_schema.tables
     where table_schema in ('public', 'protocol_1') order by 1`,
  )
  const rows: Rows = {}
  for (const { name } of tables)
    rows[name.replace(/^public\./, '')] = (await query(`select to_jsonb(t) as row from ${name} t`)).map(
      ({ row }) => row,
    )
  return rows
}
