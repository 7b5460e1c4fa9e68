import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { rows, type Tx } from '#server/db/client.ts'
import { MIGRATIONS, readMigrations } from '#server/db/schema-version.ts'
import { newestBackup } from './drill.ts'
import { fault, note, ok, reasonOf, type Said, warning } from './finding.ts'
import { duration, migrationsIn, sayMigrations } from './rows.ts'

/* What the migrations of this version would do to a database: said before the first start of it, which runs them. */

/** `brief`: takes its lock for a moment, however many rows there are. `rows`: takes longer the more there are. */
type Work = { table: string | null; words: string; takes: 'brief' | 'rows' }

const NAME = '"([^"]*)"'
const isNew = (words: string) => ({ words, takes: 'brief' as const })
const perRow = (words: string) => ({ words, takes: 'rows' as const })

/** What statements begin with, the first that fits; `(…)` is the table. Source: PostgreSQL, ALTER TABLE, Notes. */
const statements: readonly (readonly [RegExp, Omit<Work, 'table'>])[] = [
  [RegExp(`^create table (?:if not exists )?${NAME}`, 'i'), isNew('makes it')],
  [RegExp(`^create (?:unique )?index "[^"]*" on ${NAME}`, 'i'), perRow('builds an index')],
  [
    RegExp(
      `^alter table ${NAME} add column "[^"]*" [^;]*(?:generated always|gen_random_uuid|random\\(|clock_)`,
      'i',
    ),
    perRow('writes each row anew for a column'),
  ],
  [RegExp(`^alter table ${NAME} add column`, 'i'), isNew('adds a column')],
  [RegExp(`^alter table ${NAME} add constraint`, 'i'), perRow('checks each row')],
  [
    RegExp(`^alter table ${NAME} alter column "[^"]*" (?:set data )?type`, 'i'),
    perRow('writes each row anew'),
  ],
  [RegExp(`^alter table ${NAME} alter column "[^"]*" set not null`, 'i'), perRow('checks each row')],
  [RegExp(`^alter table ${NAME} drop column`, 'i'), isNew('drops a column')],
  [RegExp(`^alter table ${NAME}`, 'i'), isNew('changes how it is defined')],
  [RegExp(`^update ${NAME}`, 'i'), perRow('changes rows')],
  [RegExp(`^delete from ${NAME}`, 'i'), perRow('deletes rows')],
  [RegExp(`^insert into ${NAME}`, 'i'), perRow('puts rows in')],
  [RegExp(`^truncate (?:table )?${NAME}`, 'i'), isNew('empties it: it is derived, and made anew')],
  [RegExp(`^drop table (?:if exists )?${NAME}`, 'i'), isNew('drops it')],
  [RegExp(`^create trigger "[^"]*" [^;]* on ${NAME}`, 'i'), isNew('adds a trigger')],
  [RegExp(`^drop trigger "[^"]*" on ${NAME}`, 'i'), isNew('drops a trigger')],
]

/** Of no table, or none that a row is in. */
const ELSEWHERE =
  /^(?:create (?:or replace )?(?:function|view)|drop function|drop index|create schema|drop schema|comment on)\b/i

/** What a statement of a migration does; null: it is of a kind that is not known here. */
export function workOf(statement: string): Work | null {
  const text = statement
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('--'))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (text === '' || ELSEWHERE.test(text)) return { table: null, words: '', takes: 'brief' }
  for (const [begins, work] of statements) {
    const table = begins.exec(text)?.[1]
    if (table !== undefined) return { table, ...work }
  }
  return null
}

const Journal = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) })

/** Names of the migrations by when they were made. */
async function migrationNames(): Promise<Map<number, string>> {
  const { entries } = Journal.parse(
    JSON.parse(await readFile(join(MIGRATIONS, 'meta/_journal.json'), 'utf8')),
  )
  return new Map(entries.map(({ tag, when }) => [when, tag]))
}

/** From so many rows on, what takes longer the more there are is a warning. */
const MANY_ROWS = 100_000

/** What the start of this version would do to the tables of a database. @param many rows that are worth a warning */
export async function sayUpgrade(tx: Tx, many = MANY_ROWS): Promise<Said[]> {
  const state = await sayMigrations(tx)
  if (state.every(({ level }) => level !== 'warning')) return state // none is missing, or there is no way on from here
  const made = await migrationsIn(tx)
  const names = await migrationNames()
  const pending = readMigrations().filter(({ folderMillis }) => !made.includes(folderMillis))
  const sizes = await tableSizes(tx)
  const said = pending.map(({ folderMillis, sql: parts }): Said => {
    const works = parts.map(workOf)
    const name = names.get(folderMillis) ?? String(folderMillis)
    const fresh = new Set(works.flatMap((work) => (work?.words === 'makes it' ? [work.table] : [])))
    const long = works.some(
      (work) =>
        work?.takes === 'rows' && !fresh.has(work.table) && (sizes.get(work.table ?? '')?.n ?? 0) >= many,
    )
    const words = `${name} ${sentenceOf(
      works.filter((work) => work !== null),
      sizes,
      fresh,
    )}.`
    if (works.includes(null))
      return warning(`${words} Something in it is not told apart here.`, `Read ${name}.sql before you go on.`)
    return long
      ? warning(words, 'Writes to that table wait until it is done: upgrade when little is sold.')
      : note(words)
  })
  return [
    note(
      `${pending.length} migrations of this version are to be run, in one transaction: what they lock stays locked until the last is done, and all of them or none are done.`,
    ),
    ...said,
  ]
}

type Sizes = Map<string, { n: number; bytes: number }>

/** 'orders: builds an index (1,200,000 rows, 900 MiB); views: makes it'. */
function sentenceOf(works: readonly Work[], sizes: Sizes, fresh: ReadonlySet<string | null>): string {
  const byTable = Map.groupBy(
    works.filter(({ table }) => table !== null),
    ({ table }) => table ?? '',
  )
  if (byTable.size === 0) return 'changes no table'
  const parts = [...byTable].map(([table, of]) => {
    const size = sizes.get(table)
    const does = fresh.has(table) ? ['makes it'] : [...new Set(of.map(({ words }) => words))]
    const large = size === undefined || fresh.has(table) ? '' : ` (${sizeText(size)})`
    return `${table}${large}: ${does.join(', ')}`
  })
  return `touches ${parts.join('; ')}`
}

const sizeText = ({ n, bytes }: { n: number; bytes: number }): string =>
  `about ${n.toLocaleString('en')} rows, ${Math.max(1, Math.round(bytes / 2 ** 20)).toLocaleString('en')} MiB`

/** Rows are PostgreSQL's own estimate. */
async function tableSizes(tx: Tx): Promise<Sizes> {
  const found = await rows<{ name: string; n: number; bytes: number }>(
    tx,
    sql`select c.relname as name, greatest(c.reltuples, s.n_live_tup, 0)::float8 as n,
          pg_total_relation_size(c.oid)::float8 as bytes
        from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
        where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`,
  )
  return new Map(found.map(({ name, n, bytes }) => [name, { n, bytes }]))
}

/** A backup that is older is none to upgrade with. */
const OLD_BACKUP_S = 86_400

/** Whether there is something to go back to. @param from a backup or the folder of the backups; undefined: nobody said */
export async function sayBackup(from: string | undefined, now = Date.now()): Promise<Said[]> {
  const todo = 'Back up now: befaqt backup FILE. The way back from an upgrade is a restore.'
  if (from === undefined)
    return [note(`Where the backups are was not said, so it was not looked whether one is new. ${todo}`)]
  try {
    const path = await newestBackup(from)
    const ageS = Math.max(0, (now - (await stat(path)).mtimeMs) / 1000)
    const words = `The newest backup is ${basename(path)}, ${duration(ageS)} old.`
    return [ageS > OLD_BACKUP_S ? warning(words, todo) : ok(words)]
  } catch (error) {
    return [fault(`There is no backup: ${reasonOf(error)}`, todo)]
  }
}
