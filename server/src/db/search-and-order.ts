import { and, asc, desc, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { searchNormalized } from './schema/columns.ts'

/** Rows in the order of `column`, and of `id` where that is the same, so that no row stands on two pages. */
export function orderBy(column: SQLWrapper, id: SQLWrapper, dir: 'asc' | 'desc' | undefined): SQL[] {
  const way = dir === 'desc' ? desc : asc
  return [way(column), way(id)]
}

/** Whether a folded text has every word of `q` somewhere, accents and case aside. Undefined: `q` has no word. */
export const matchesAllWords = (text: SQLWrapper, q = ''): SQL | undefined =>
  and(...searchWords(q).map((word) => sql`strpos(${text}, ${searchNormalized(sql`${word}`)}) > 0`))

/** NUL, which no stored text can hold, finds nothing. */
const searchWords = (q: string): string[] => q.replaceAll('\0', '\uFFFD').split(/\s+/).filter(Boolean)

/** A search text for ILIKE: `%`, `_` and `\` mean themselves. NUL, which no stored text can hold, finds nothing. */
export const likeText = (text: string): string =>
  `%${text
    .trim()
    .replaceAll('\0', '\uFFFD')
    .replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
