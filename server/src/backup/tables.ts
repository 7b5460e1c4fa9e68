import { readMigrations } from '#server/db/schema-version.ts'
import type { Session } from './session.ts'

/** Where the shop's tables are; what the migrations themselves note is made anew. */
const SCHEMAS = `('public', 'protocol_1')`

export type Table = { name: string; columns: string[]; about: number }

/** Not what an extension brought. */
export const OWN = `not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')`

/** The tables with the columns that are written, in an order that does not depend on the server. */
export const tablesOf = (session: Session): Promise<Table[]> =>
  session.query<Table>(`
    select format('%I.%I', n.nspname, c.relname) as name, greatest(c.reltuples, 0)::int8::float8 as about,
      array(select quote_ident(a.attname) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ${SCHEMAS} and ${OWN} order by n.nspname collate "C", c.relname collate "C"`)

export type Sequence = { name: string; last: string; called: boolean }

/** Where the sequences stand. They are not part of a snapshot: read after the tables, they stand at least as far. */
export async function sequencesOf(session: Session): Promise<Sequence[]> {
  const names = await session.query<{ name: string }>(`
    select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'S' and n.nspname in ${SCHEMAS} and ${OWN} order by n.nspname collate "C", c.relname collate "C"`)
  const found: Sequence[] = []
  for (const { name } of names) {
    const [state] = await session.query<Sequence>(
      `select '${name.replaceAll("'", "''")}' as name, last_value::text as last, is_called as called from ${name}`,
    )
    if (state) found.push(state)
  }
  return found
}

/** Is there such a table? A database of an older version may lack one. */
export async function hasTable(session: Session, name: string): Promise<boolean> {
  const [found] = await session.query<{ there: boolean }>(
    `select to_regclass('${name}') is not null as there`,
  )
  return found?.there === true
}

/** When the migrations that were run were made; none: not a shop's database. */
export async function migrationsOf(session: Session): Promise<number[]> {
  if (!(await hasTable(session, 'drizzle.__drizzle_migrations'))) return []
  const made = await session.query<{ at: number }>(
    'select created_at::float8 as at from drizzle.__drizzle_migrations order by created_at',
  )
  return made.map(({ at }) => at)
}

/** How many tables, views and sequences are where a shop would make its own. */
export async function countRelations(session: Session): Promise<number> {
  const [found] = await session.query<{ n: number }>(`
    select count(*)::int as n from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'protocol_1', 'drizzle') and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and ${OWN}`)
  return found?.n ?? 0
}

/** Makes the tables as they were when the last of these migrations had run. */
export async function migrateTo(session: Session, made: readonly number[]): Promise<void> {
  const wanted = new Set(made)
  await session.query(
    'create schema drizzle; create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
  )
  for (const { sql, hash, folderMillis } of readMigrations()) {
    if (!wanted.has(folderMillis)) continue
    for (const statement of sql) await session.query(statement)
    await session.query('insert into drizzle.__drizzle_migrations (hash, created_at) values ($1, $2)', [
      hash,
      folderMillis,
    ])
  }
}

type Named = { table: string; name: string; definition: string }

/**
 * Empties the tables and takes away what would slow loading or change what is loaded: indexes, references, triggers.
 * Returns a function that puts them back, which checks every reference.
 */
export async function bare(session: Session): Promise<() => Promise<void>> {
  const tables = await tablesOf(session)
  const references = await session.query<Named>(`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(o.oid) as definition
    from pg_constraint o join pg_namespace n on n.oid = connamespace where contype = 'f' and n.nspname in ${SCHEMAS}`)
  const indexes = await session.query<Named>(`
    select indrelid::regclass::text as table, indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index i join pg_class c on c.oid = indexrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ${SCHEMAS} and ${OWN} and not exists (select from pg_constraint o where o.conindid = indexrelid and o.contype <> 'f')`)
  for (const { table, name } of references)
    await session.query(`alter table ${table} drop constraint ${name}`)
  for (const { name } of indexes) await session.query(`drop index ${name}`)
  for (const { name } of tables) await session.query(`alter table ${name} disable trigger user`)
  await session.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  return async () => {
    for (const { definition } of indexes) await session.query(definition)
    for (const { table, name, definition } of references)
      await session.query(`alter table ${table} add constraint ${name} ${definition}`)
    for (const { name } of tables) await session.query(`alter table ${name} enable trigger user`)
    for (const { name } of tables) await session.query(`analyze ${name}`)
  }
}

/** Puts the sequences where they stood. */
export async function setSequences(session: Session, sequences: readonly Sequence[]): Promise<void> {
  for (const { name, last, called } of sequences)
    if (await hasTable(session, name.replaceAll("'", "''")))
      await session.query('select setval($1::regclass, $2::bigint, $3::boolean)', [name, last, called])
}
