import { after } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import type { Database } from '#server/db/client.ts'
import { embeddedDatabase, startParams } from '#server/db/embedded.ts'
import { openPostgres } from '#server/db/postgres.ts'
import type { SlowStatements } from '#server/db/slow-statements.ts'
import { EmbeddedDatabases } from './embedded-databases.ts'
import { emptyDatabase } from './empty-database.ts'
import { type Collation, PostgresDatabases } from './postgres-databases.ts'

/** A database for one test, removed at the end of its block. */
export type TestDb = Database & AsyncDisposable

const embeddedDatabases = new EmbeddedDatabases(async () =>
  PGlite.create({ loadDataDir: (await emptyDatabase()) as Blob, startParams }),
)

after(() => embeddedDatabases.close())

/**
 * An empty embedded database, migrated: copied from one that all test files share. Use with `await using`.
 * @param slow is told how long each statement takes
 */
export async function testDb(slow?: SlowStatements): Promise<TestDb> {
  return disposable(await embeddedDatabase(await embeddedDatabases.open(), async () => undefined, slow))
}

/** URL of the tests' PostgreSQL server; undefined: tests on it are skipped. */
export const testPostgresUrl: string | undefined = process.env.TEST_DATABASE_URL

/** Why a test that needs a PostgreSQL server is skipped; false when there is one. */
export const withoutPostgres: false | string =
  testPostgresUrl === undefined && 'no PostgreSQL server: TEST_DATABASE_URL is not set'

const postgresDatabases = testPostgresUrl === undefined ? undefined : new PostgresDatabases(testPostgresUrl)

after(() => postgresDatabases?.close())

/**
 * An empty database on the PostgreSQL server of the tests, migrated: lent, too. Use with `await using`.
 * @param collation 'C' for tests of what must not depend on a language's order
 */
export async function testPostgres(collation: Collation = 'usual'): Promise<TestDb & { url: string }> {
  if (postgresDatabases === undefined) throw new Error('TEST_DATABASE_URL is not set')
  const { url, giveBack } = await postgresDatabases.lend(collation)
  const database = await openPostgres(url, () => undefined)
  return { ...disposable(database, giveBack), url }
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
