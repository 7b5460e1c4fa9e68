import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { advisoryLocks } from '#server/db/advisory-locks.ts'
import { type Db, rows } from '#server/db/client.ts'
import { BackupRefused } from '../frames.ts'
import type { Session } from '../session.ts'
import { OWN } from '../tables.ts'

/** Whose account may be there already: the only one, who restores; null: nobody's. */
export type Owner = string | null

type Counts = { accounts: number; orders: number; boxes: number }

const countsBeside = (owner: Owner): SQL => sql`
  select (select count(*) from (select from users where id::text is distinct from ${owner} limit 1) u)::int as accounts,
    (select count(*) from (select from orders limit 1) o)::int as orders,
    (select count(*) from (select from boxes where not sample limit 1) b)::int as boxes`

function words({ accounts, orders, boxes }: Counts): string | null {
  const has = [
    ...(accounts > 0 ? ['accounts'] : []),
    ...(orders > 0 ? ['orders'] : []),
    ...(boxes > 0 ? ['boxes of its own'] : []),
  ]
  if (has.length === 0) return null
  return `This shop is in use: it has ${has.join(' and ')}, which a restored one would replace. Restore into an empty DATA_DIR and database, by the command: npm run -s befaqt -- restore FILE.`
}

const NOTHING: Counts = { accounts: 0, orders: 0, boxes: 0 }

/** What a restore would take away that somebody may want; null: nothing but the sample and the account of `owner`. */
export async function whyNotBare(db: Db, owner: Owner): Promise<string | null> {
  const [found = NOTHING] = await rows<Counts>(db, countsBeside(owner))
  return words(found)
}

/** How long somebody else's transaction is waited for. */
const LOCK_WAIT = '60s'

/**
 * Removes all that a bare shop made, in the transaction that restores another in its place: nobody can make an account or an
 * order from the look on.
 * @throws BackupRefused when it is not bare
 */
export async function emptyBareShop(session: Session, owner: Owner): Promise<void> {
  await session.query(`set local lock_timeout = '${LOCK_WAIT}'`)
  await session.query('select pg_advisory_xact_lock($1)', [advisoryLocks.firstAdmin])
  await session.query('lock table users, orders, boxes in access exclusive mode')
  const { sql: text, params } = new PgDialect().sqlToQuery(countsBeside(owner))
  const [found = NOTHING] = await session.query<Counts>(text, params)
  const why = words(found)
  if (why !== null) throw new BackupRefused(why)
  await session.query(EMPTY)
  await session.query('set local lock_timeout = 0')
}

/** Not the schemas themselves: `public` may be another's, and an extension may be in it. */
const EMPTY = `do $$ declare one record; begin
  for one in select format('drop table if exists %s cascade', c.oid::regclass) as statement
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'protocol_1', 'drizzle') and c.relkind in ('r', 'p') and ${OWN} loop
    execute one.statement; end loop;
  for one in select format('drop sequence if exists %s cascade', c.oid::regclass) as statement
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname in ('public', 'protocol_1', 'drizzle') and c.relkind = 'S' and ${OWN} loop
    execute one.statement; end loop;
  for one in select format('drop routine if exists %s cascade', c.oid::regprocedure) as statement
      from pg_proc c join pg_namespace n on n.oid = c.pronamespace
      where n.nspname in ('public', 'protocol_1', 'drizzle') and ${OWN} loop
    execute one.statement; end loop;
  for one in select format('drop type if exists %s cascade', c.oid::regtype) as statement
      from pg_type c join pg_namespace n on n.oid = c.typnamespace
      where n.nspname in ('public', 'protocol_1', 'drizzle') and c.typtype in ('e', 'd') and ${OWN} loop
    execute one.statement; end loop;
  drop schema if exists protocol_1 cascade;
  drop schema if exists drizzle cascade;
end $$`
