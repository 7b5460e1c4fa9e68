import { and, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type Db, rows } from './client.ts'
import { searchNormalized } from './schema/columns.ts'

/**
 * Orders ids by their bytes, whatever the database's collation: the order in which rows are locked when there are
 * several, so that two transactions never wait for each other.
 */
export const inByteOrder = (id: SQLWrapper): SQL => sql`${id} collate "C"`

const normalized = (word: string): SQL => sql`(select ${searchNormalized(sql`${word}`)})`

/**
 * Whether a search-normalized text contains every word of `q`, each normalized once for all rows. Undefined: `q` has no
 * word.
 */
export const matchesAllWords = (text: SQLWrapper, q = ''): SQL | undefined =>
  and(...searchWords(q).map((word) => sql`strpos(${text}, ${normalized(word)}) > 0`))

/** Letters of a word from which on an index of trigrams narrows a search. */
const TRIGRAM = 3

/**
 * As `matchesAllWords`, for a text that has an index of its `trigrams` and one of itself. Words of one or two letters
 * narrow nothing: of them alone, the text has to begin with them.
 */
export function matchesAllWordsIndexed(text: SQLWrapper, q = ''): SQL | undefined {
  const words = searchWords(q)
  const long = words.filter((word) => word.length >= TRIGRAM)
  if (words.length > 0 && long.length === 0) return beginsWith(text, normalized(words.join(' ')))
  return and(
    ...long.map((word) => sql`trigrams(${text}) @> trigrams(${normalized(word)})`),
    matchesAllWords(text, q),
  )
}

/** Does a text in collation "C" begin with another? By an index of it: no character is above the last of Unicode. */
export const beginsWith = (text: SQLWrapper, start: SQLWrapper): SQL =>
  sql`${text} >= ${start} and ${text} < ${start} || chr(1114111)`

/**
 * Matches of a search that are looked up one by one and counted. Where there are more, its list is walked from its
 * beginning instead, which soon finds as many as a page shows, and says that there are at least so many.
 */
export const MAX_FOUND = 1_000

/** What a search found: ids, or that there are more than `MAX_FOUND`. */
export type Found = readonly string[] | 'many'

/**
 * SQL: ids that any of these queries for ids finds, for `findIds` and `someFound`: of each no more than decide that there are
 * too many, since whatever tells equal ones apart reads all of them first.
 */
export const eitherFinds = (queries: readonly SQL[]): SQL =>
  sql.join(
    queries.map((ids) => sql`(${ids} limit ${MAX_FOUND + 1})`),
    sql` union `,
  )

/** Of the newest rows that are looked through for words that a thousand or more have. */
export const MAX_WALKED = 3_000
/** Of those that are looked through first. */
export const WALKED_FIRST = 40
/** So many of them with the words: then most rows may have them. */
const OFTEN = WALKED_FIRST / 2
/** Has it a word that is looked for anywhere in a text? Shorter ones are its beginning. */
export const hasLongWord = (q: string): boolean => /\S{3}/.test(q)

/**
 * Do many rows have the words of a search, as the newest ones show? Of such words an index is not asked: it reads every
 * row that has them before it gives the first.
 * @param among SQL for `from`: those of so many newest rows that the search finds
 */
export async function isOfMany(db: Db, q: string, among: (newest: number) => SQL): Promise<boolean> {
  if (!hasLongWord(q)) return false
  const has = async (newest: number, many: number): Promise<boolean> => {
    const found = sql`select from ${among(newest)} limit ${many}`
    const [counted] = await rows<{ n: number }>(db, sql`select count(*)::int as n from (${found}) f`)
    return counted?.n === many
  }
  return (await has(WALKED_FIRST, OFTEN)) && (await has(MAX_WALKED, MAX_FOUND + 1))
}

/** At most one more than are looked up one by one. @param ids a query of one column, `id` */
export async function findIds(db: Db, ids: SQL): Promise<Found> {
  const found = await rows<{ id: string }>(db, sql`select id from (${ids}) f limit ${MAX_FOUND + 1}`)
  return found.length > MAX_FOUND ? 'many' : found.map(({ id }) => id)
}

/** Does a search find more than so many? @param ids a query of one column, `id` */
export async function findsMore(db: Db, ids: SQL, most: number): Promise<boolean> {
  const [counted] = await rows<{ n: number }>(
    db,
    sql`select count(*)::int as n from (${ids} limit ${most + 1}) f`,
  )
  return (counted?.n ?? 0) > most
}

/**
 * SQL: the rows of a table, under its name, that a search finds: at most so many, of words that more have any. They are
 * looked up one by one, which no plan replaces by reading the whole table. @param ids a query of one column, `id`
 */
export const someFound = (ids: SQL, table: SQLWrapper, most = MAX_FOUND): SQL =>
  sql`(select id from (${ids}) f limit ${most}) found
    cross join lateral (select * from ${table} where ${table}.id = found.id offset 0) ${table}`

/** NUL, which no stored text can contain, is replaced so that it matches nothing. */
const searchWords = (q: string): string[] => q.replaceAll('\0', '\uFFFD').split(/\s+/).filter(Boolean)

/** Escapes `%`, `_` and `\` for ILIKE. NUL, which no stored text can contain, is replaced so that it matches nothing. */
export const likeText = (text: string): string =>
  `%${text
    .trim()
    .replaceAll('\0', '\uFFFD')
    .replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
