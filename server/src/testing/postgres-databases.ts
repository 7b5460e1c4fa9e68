import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { advisoryLocks } from '#server/db/advisory-locks.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { type Asked, emptied, type Made, made } from './emptied.ts'
import { migrationsKey } from './empty-database.ts'

/** How a database sorts text: as its server does by default, which is a language's way, or by bytes. */
export type Collation = 'usual' | 'C'

/** How long what a test left behind may hold a database before it is dropped instead of emptied. */
const RELEASE_WITHIN_MS = 5_000

type Lent = { name: string; url: string; collation: Collation; made: Made }

/**
 * PostgreSQL databases for the tests of one process, migrated. To copy one and to drop it again takes a quarter of a second
 * of processor time and makes the whole server write its checkpoint, twice; to empty one takes some milliseconds: one that
 * is given back is emptied and lent again, unless its tables or settings are no longer as they were made.
 */
export class PostgresDatabases {
  readonly #server: string
  readonly #templates: Partial<Record<Collation, Promise<string>>> = {}
  readonly #released: Lent[] = []
  #closed = false

  /** @param server the address of a server on which databases may be created */
  constructor(server: string) {
    this.#server = server
  }

  /** An empty database; `giveBack` ends whatever is still connected to it. */
  async lend(collation: Collation): Promise<{ url: string; giveBack: () => Promise<void> }> {
    const at = this.#released.findIndex((one) => one.collation === collation)
    const lent = at < 0 ? await this.#create(collation) : this.#released.splice(at, 1)[0]
    if (lent === undefined) throw new Error('unreachable')
    return { url: lent.url, giveBack: () => this.#release(lent) }
  }

  /** Drops those that nobody uses, and from now on each when it is given back. */
  async close(): Promise<void> {
    this.#closed = true
    for (const { name } of this.#released.splice(0)) await this.#drop(name)
  }

  async #create(collation: Collation): Promise<Lent> {
    this.#templates[collation] ??= templateOn(this.#server, collation)
    const template = await this.#templates[collation]
    const name = `befaqt_test_${randomUUID().replaceAll('-', '')}`
    await connected(this.#server, ({ exec }) => exec(`create database ${name} template ${template}`))
    const url = urlOf(this.#server, name)
    return { name, url, collation, made: await connected(url, made) }
  }

  async #release(lent: Lent): Promise<void> {
    const isEmptied =
      !this.#closed && (await connected(lent.url, (db) => restored(db, lent.made)).catch(() => false))
    if (isEmptied && !this.#closed) this.#released.push(lent)
    else await this.#drop(lent.name)
  }

  #drop(name: string): Promise<unknown> {
    return connected(this.#server, ({ exec }) => exec(`drop database if exists ${name} with (force)`))
  }
}

/** Ends what is connected, and makes the database again what it was. False: that can't be. */
async function restored(db: Asked, before: Made): Promise<boolean> {
  await db.exec(`set lock_timeout = ${RELEASE_WITHIN_MS}; set statement_timeout = ${RELEASE_WITHIN_MS}`)
  const others = await db.rows<{ ended: boolean }>(
    `select pg_terminate_backend(pid, ${RELEASE_WITHIN_MS}) as ended from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  )
  if (others.some(({ ended }) => !ended) || !(await emptied(db, before))) return false
  // What the planner knows of rows that are gone, and how often tables were read.
  await db.exec(`delete from pg_statistic; select pg_stat_reset()`)
  return true
}

/** The name of the migrated database on a server; the first test that needs it makes it, and it stays there. */
async function templateOn(server: string, collation: Collation): Promise<string> {
  const name = `befaqt_template_${migrationsKey()}${collation === 'C' ? '_c' : ''}`
  const byBytes = `template template0 encoding 'UTF8' locale_provider libc locale 'C'`
  await connected(server, async ({ rows, exec }) => {
    await rows('select pg_advisory_lock($1)', [advisoryLocks.testTemplate]) // until the connection ends
    if ((await rows('select from pg_database where datname = $1', [name])).length > 0) return
    const draft = `${name}_draft`
    await exec(`drop database if exists ${draft}`)
    await exec(`create database ${draft} ${collation === 'C' ? byBytes : ''}`)
    const database = await openPostgres(urlOf(server, draft), () => undefined)
    await database.close()
    await exec(`alter database ${draft} rename to ${name}`)
  })
  return name
}

const urlOf = (server: string, database: string): string =>
  Object.assign(new URL(server), { pathname: `/${database}` }).href

/** Does some work on one connection. */
async function connected<T>(url: string, work: (db: Asked) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined) // the query that fails reports it
  await client.connect()
  try {
    return await work({
      rows: async <Row extends object>(sql: string, values: unknown[] = []) =>
        (await client.query(sql, values)).rows as Row[],
      exec: (sql) => client.query(sql),
    })
  } finally {
    await client.end()
  }
}
