/** What is asked of a database of tests, on PostgreSQL and embedded. */
export type Asked = {
  rows<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>
  /** Several statements. */
  exec(sql: string): Promise<unknown>
}

/** A database as migrations make it, to compare with. */
export type Made = {
  schemaHash: string
  functions: ReadonlySet<string>
  /** Rows of migrations, as [table, JSON array]. */
  initialRows: readonly (readonly [table: string, rows: string])[]
}

/**
 * What the schemas, tables, indexes, triggers, functions and settings are, without their rows; and the migrations that
 * made them.
 */
const SCHEMA_HASH = `
  select md5(string_agg(line, E'\\n' order by line)) as hash from (
    select format('%s.%s %s %s %s %s', c.relname, a.attname, a.atttypid, a.attnotnull, c.relkind, c.reloptions) as line
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where c.relnamespace = 'public'::regnamespace
    union all select nspname::text from pg_namespace where nspname !~ '^pg_'
    union all select conname || pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
    union all select tgname || tgenabled::text from pg_trigger where not tgisinternal
    union all select proname || prosrc from pg_proc where pronamespace = 'public'::regnamespace
    union all select s.setconfig::text from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
      where d.datname = current_database()
    union all select hash from drizzle.__drizzle_migrations
  ) as lines (line)`

const FUNCTIONS = `
  select oid::regprocedure::text as name from pg_proc where pronamespace = 'public'::regnamespace`

/** Tables that have pages. */
const FILLED_TABLES = `
  select format('%I.%I', 'public', relname) as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`

const RESTART_SEQUENCES = `do $$ declare name text; begin
  for name in select format('%I.%I', schemaname, sequencename) from pg_sequences
    where schemaname = 'public' and last_value is not null
  loop execute 'alter sequence ' || name || ' restart'; end loop; end $$`

/** Notes what a database is that no test has used yet. */
export async function made(db: Asked): Promise<Made> {
  const initialRows: [string, string][] = []
  for (const table of await names(db, FILLED_TABLES)) {
    const [all] = await db.rows<{ rows: string | null }>(`select json_agg(t)::text as rows from ${table} t`)
    initialRows.push([table, all?.rows ?? '[]'])
  }
  return { schemaHash: await schemaHash(db), functions: new Set(await names(db, FUNCTIONS)), initialRows }
}

/** Makes a database again what it was, without what tests wrote. False: its tables are no longer as they were made. */
export async function emptied(
  db: Asked,
  { schemaHash: before, functions, initialRows }: Made,
): Promise<boolean> {
  // A running shop makes functions and triggers beside those of migrations.
  for (const name of await names(db, FUNCTIONS))
    if (!functions.has(name)) await db.exec(`drop function ${name} cascade`)
  if ((await schemaHash(db)) !== before) return false
  const tables = await names(db, FILLED_TABLES)
  // Not by TRUNCATE, which makes every file of the tables and of all that refer to them anew: 50 ms.
  const deleted = tables.map((name) => `delete from ${name};`)
  await db.exec(`set session_replication_role = replica; ${deleted.join('')} reset session_replication_role`)
  // Rows come in the order in which they are written again, and not into gaps: what asks for no order gets the same each time.
  if (tables.length > 0) await db.exec(`vacuum (index_cleanup on) ${tables.join(', ')}`)
  await db.exec(RESTART_SEQUENCES)
  for (const [table, rows] of initialRows)
    await db.rows(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [rows])
  return true
}

async function schemaHash(db: Asked): Promise<string> {
  const [row] = await db.rows<{ hash: string }>(SCHEMA_HASH)
  return row?.hash ?? ''
}

const names = async (db: Asked, sql: string): Promise<string[]> =>
  (await db.rows<{ name: string }>(sql)).map(({ name }) => name)
