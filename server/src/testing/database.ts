import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { advisoryLocks } from '#server/db/advisory-locks.ts'
import type { Database } from '#server/db/client.ts'
import { embeddedDatabase, startParams } from '#server/db/embedded.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { EmbeddedDatabases } from './embedded-databases.ts'
import { emptyDatabase, migrationsKey } from './empty-database.ts'

/** A database for one test, removed at the end of its block. */
export type TestDb = Database & AsyncDisposable

const embeddedDatabases = new EmbeddedDatabases(async () =>
  PGlite.create({ loadDataDir: (await emptyDatabase()) as Blob, startParams }),
)

after(() => embeddedDatabases.close())

/** An empty embedded database, migrated: copied from one that all test files share. Use with `await using`. */
export async function testDb(): Promise<TestDb> {
  return disposable(await embeddedDatabase(await embeddedDatabases.open(), async () => undefined))
}

/** URL of the tests' PostgreSQL server; undefined: tests on it are skipped. */
export const testPostgresUrl: string | undefined = process.env.TEST_DATABASE_URL

/** Why a test that needs a PostgreSQL server is skipped; false when there is one. */
export const withoutPostgres: false | string =
  testPostgresUrl === undefined && 'no PostgreSQL server: TEST_DATABASE_URL is not set'

/** How a database sorts text: as its server does by default, which is a language's way, or by bytes. */
type Collation = 'usual' | 'C'

/**
 * An empty database on the PostgreSQL server of the tests, migrated: copied, too. Use with `await using`.
 * @param collation 'C' for tests of what must not depend on a language's order
 */
export async function testPostgres(collation: Collation = 'usual'): Promise<TestDb & { url: string }> {
  if (testPostgresUrl === undefined) throw new Error('TEST_DATABASE_URL is not set')
  const template = templates[collation] ?? templateOn(testPostgresUrl, collation)
  templates[collation] = template
  const name = `befaqt_test_${randomUUID().replaceAll('-', '')}`
  const source = await template
  await onServer(testPostgresUrl, (client) => client.query(`create database ${name} template ${source}`))
  const url = urlOf(testPostgresUrl, name)
  const database = await openPostgres(url, () => undefined)
  const drop = async (): Promise<void> => {
    await onServer(testPostgresUrl, (client) => client.query(`drop database ${name} with (force)`))
  }
  return { ...disposable(database, drop), url }
}

const templates: Partial<Record<Collation, Promise<string>>> = {}

/** The name of the migrated database on a server; the first test that needs it makes it, and it stays there. */
async function templateOn(serverUrl: string, collation: Collation): Promise<string> {
  const name = `befaqt_template_${migrationsKey()}${collation === 'C' ? '_c' : ''}`
  const byBytes = `template template0 encoding 'UTF8' locale_provider libc locale 'C'`
  await onServer(serverUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [advisoryLocks.testTemplate]) // until the connection ends
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 1) return
    const draft = `${name}_draft`
    await client.query(`drop database if exists ${draft}`)
    await client.query(`create database ${draft} ${collation === 'C' ? byBytes : ''}`)
    const database = await openPostgres(urlOf(serverUrl, draft), () => undefined)
    await database.close()
    await client.query(`alter database ${draft} rename to ${name}`)
  })
  return name
}

const urlOf = (serverUrl: string, database: string): string =>
  Object.assign(new URL(serverUrl), { pathname: `/${database}` }).href

async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function disposable(database: Database, after: () => Promise<void> = async () => undefined): TestDb {
  const dispose = async (): Promise<void> => {
    await database.close()
    await after()
  }
  return { ...database, [Symbol.asyncDispose]: dispose }
}

/** Both databases, or only the embedded one without a server: for tests that run on each. */
export const testDatabases: readonly (readonly [name: string, open: () => Promise<TestDb>])[] =
  testPostgresUrl === undefined
    ? [['embedded', testDb]]
    : [
        ['embedded', testDb],
        ['PostgreSQL', () => testPostgres()],
      ]
