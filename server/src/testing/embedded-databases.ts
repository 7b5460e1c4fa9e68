import type { PGlite } from '@electric-sql/pglite'

/** How long work that a test left behind may hold a database before it is given up. */
const RELEASE_WITHIN_MS = 5_000

/** What the tables, indexes, triggers and functions are, without their rows; and the migrations that made them. */
const SCHEMA_HASH = `
  select md5(string_agg(line, E'\\n' order by line)) as hash from (
    select format('%s.%s %s %s %s', c.relname, a.attname, a.atttypid, a.attnotnull, c.relkind) as line
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where c.relnamespace = 'public'::regnamespace
    union all select conname || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
    union all select tgname || tgenabled::text from pg_trigger where not tgisinternal
    union all select proname || prosrc from pg_proc where pronamespace = 'public'::regnamespace
    union all select hash from drizzle.__drizzle_migrations
  ) as lines (line)`

const FUNCTIONS = `
  select oid::regprocedure::text as name from pg_proc where pronamespace = 'public'::regnamespace`

/** Rows of migrations, as [table, JSON array]. */
type InitialRows = readonly (readonly [table: string, rows: string])[]

type Instance = {
  lite: PGlite
  schemaHash: string
  functions: ReadonlySet<string>
  initialRows: InitialRows
}

/**
 * Embedded databases for the tests of one process. To open one takes half a second of processor time, to empty one
 * some milliseconds: one that is released is emptied and lent again, unless its tables are no longer as they were made.
 */
export class EmbeddedDatabases {
  readonly #create: () => Promise<PGlite>
  readonly #released: Instance[] = []
  #closed = false

  /** @param create makes a database with its tables, and without other rows than those of migrations */
  constructor(create: () => Promise<PGlite>) {
    this.#create = create
  }

  /** An empty database. Once it is closed, every further call to it is refused, as a closed PGlite refuses it. */
  async open(): Promise<PGlite> {
    const instance = this.#released.pop() ?? (await inspect(await this.#create()))
    let closed = false
    const subscriptions = new Set<() => Promise<void>>()
    const close = async (): Promise<void> => {
      if (closed) throw new Error('PGlite is closed')
      closed = true
      for (const unsubscribe of subscriptions) await unsubscribe()
      await this.#release(instance)
    }
    return new Proxy(instance.lite, {
      get(lite, name) {
        if (name === 'close') return close
        if (name === 'closed') return closed
        const value: unknown = Reflect.get(lite, name, lite)
        if (typeof value !== 'function' || name === 'constructor') return value
        return async (...args: unknown[]) => {
          if (closed) throw new Error('PGlite is closed')
          const answer: unknown = await value.apply(lite, args)
          if (name === 'listen') subscriptions.add(answer as () => Promise<void>)
          return answer
        }
      },
    })
  }

  /**
   * Closes those that nobody uses, and from now on each when it is released: PostgreSQL's own timers keep a process alive,
   * and the `after` hooks of a test file, which release its databases, run after the hook that calls this.
   */
  async close(): Promise<void> {
    this.#closed = true
    for (const { lite } of this.#released.splice(0)) await lite.close()
  }

  async #release(instance: Instance): Promise<void> {
    if (this.#closed) return instance.lite.close()
    const abort = new AbortController()
    const overdue = new Promise<false>((resolve) => {
      const timer = setTimeout(resolve, RELEASE_WITHIN_MS, false)
      abort.signal.addEventListener('abort', () => clearTimeout(timer))
    })
    const emptied = empty(instance).catch(() => false)
    if ((await Promise.race([emptied, overdue])) && !this.#closed) this.#released.push(instance)
    else await instance.lite.close()
    abort.abort()
  }
}

async function inspect(lite: PGlite): Promise<Instance> {
  const initialRows: [string, string][] = []
  for (const table of await filledTables(lite)) {
    const { rows } = await lite.query<{ rows: string }>(`select json_agg(t)::text as rows from ${table} t`)
    initialRows.push([table, rows[0]?.rows ?? '[]'])
  }
  return { lite, schemaHash: await schemaHash(lite), functions: await functionsOf(lite), initialRows }
}

/** Is the database as it was made? Waits for a transaction that still runs. */
async function empty({ lite, schemaHash: made, functions, initialRows }: Instance): Promise<boolean> {
  // DISCARD ALL, which PGlite can't run: it makes a transaction of several statements and hangs on a single one.
  await lite.exec(
    'unlisten *; reset all; discard temp; select pg_advisory_unlock_all(); set search_path to public',
  )
  // A running shop makes functions and triggers beside those of migrations.
  for (const name of await functionsOf(lite))
    if (!functions.has(name)) await lite.exec(`drop function ${name} cascade`)
  if ((await schemaHash(lite)) !== made) return false
  const tables = await filledTables(lite)
  if (tables.length > 0) await lite.exec(`truncate ${tables.join(', ')} cascade`)
  await lite.exec(`do $$ declare name text; begin
    for name in select format('%I.%I', schemaname, sequencename) from pg_sequences
      where schemaname = 'public' and last_value is not null
    loop execute 'alter sequence ' || name || ' restart'; end loop; end $$`)
  for (const [table, rows] of initialRows)
    await lite.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [rows])
  return true
}

async function schemaHash(lite: PGlite): Promise<string> {
  const { rows } = await lite.query<{ hash: string }>(SCHEMA_HASH)
  return rows[0]?.hash ?? ''
}

async function functionsOf(lite: PGlite): Promise<Set<string>> {
  const { rows } = await lite.query<{ name: string }>(FUNCTIONS)
  return new Set(rows.map(({ name }) => name))
}

async function filledTables(lite: PGlite): Promise<string[]> {
  const { rows } = await lite.query<{ name: string }>(
    `select format('%I.%I', 'public', relname) as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`,
  )
  return rows.map(({ name }) => name)
}
