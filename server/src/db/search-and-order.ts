import { and, asc, desc, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { searchNormalized } from './schema/columns.ts'

/** Orders by `column`, then by `id`, so that no row appears on two pages. */
export function orderBy(column: SQLWrapper, id: SQLWrapper, dir: 'asc' | 'desc' | undefined): SQL[] {
  const way = dir === 'desc' ? desc : asc
  return [way(column), way(id)]
}

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

/** As `matchesAllWords`, for a text with an index of its `trigrams`. */
export const matchesAllWordsIndexed = (text: SQLWrapper, q = ''): SQL | undefined =>
  and(
    ...searchWords(q)
      .filter((word) => word.length >= TRIGRAM)
      .map((word) => sql`trigrams(${text}) @> trigrams(${normalized(word)})`),
    matchesAllWords(text, q),
  )

/** NUL, which no stored text can contain, is replaced so that it matches nothing. */
const searchWords = (q: string): string[] => q.replaceAll('\0', '\uFFFD').split(/\s+/).filter(Boolean)

/** Escapes `%`, `_` and `\` for ILIKE. NUL, which no stored text can contain, is replaced so that it matches nothing. */
export const likeText = (text: string): string =>
  `%${text
    .trim()
    .replaceAll('\0', '\uFFFD')
    .replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
