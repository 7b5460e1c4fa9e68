import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { customType, timestamp } from 'drizzle-orm/pg-core'

/** A point in time, set to now by the database unless given. */
export const moment = () => timestamp({ withTimezone: true }).notNull().defaultNow()

/** Text that is compared byte by byte, so that it sorts the same on every database, whatever its locale. */
export const plainText = customType<{ data: string }>({ dataType: () => 'text collate "C"' })

/** SQL for a text without accents (combining marks of NFKD) and upper case: what a search compares. */
export const searchNormalized = (text: SQLWrapper): SQL =>
  sql`lower(regexp_replace(normalize(${text}, NFKD), '[\\u0300-\\u036f]', '', 'g'))`

/** Characters of a `searchable` text: at four bytes each they fit into an entry of an index. */
const MAX_SEARCH_LENGTH = 500

/** A stored copy of the text of `sources`, as `folded` has it, for searching and sorting; a line for each of them. */
export const searchable = (...sources: string[]) =>
  plainText()
    .notNull()
    .generatedAlwaysAs(
      sql`left(${searchNormalized(sql.raw(sources.join(" || E'\\n' || ")))}, ${sql.raw(`${MAX_SEARCH_LENGTH}`)})`,
    )

/** SQL for a text with every whole number in ten digits, so that shelf 1.2 sorts before 1.10. */
export const numbersPadded = (text: SQLWrapper): SQL =>
  sql`regexp_replace(regexp_replace(${text}, '(\\d+)', '000000000\\1', 'g'), '0*(\\d{10})', '\\1', 'g')`
