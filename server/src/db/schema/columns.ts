import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { customType, numeric, timestamp } from 'drizzle-orm/pg-core'

/** A point in time, set to now by the database unless given. */
export const moment = () => timestamp({ withTimezone: true }).notNull().defaultNow()

/** Units of a product, with at most three decimals. Cast it to `float8` where a statement is written by hand. */
export const quantity = () => numeric({ precision: 12, scale: 3, mode: 'number' })

/** Bytes; drivers answer them as Uint8Array, or as its subclass Buffer. */
export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/** Text compared byte by byte, so that it sorts the same whatever the database's locale. */
export const plainText = customType<{ data: string }>({ dataType: () => 'text collate "C"' })

/** SQL for a text in lower case without accents (combining marks of NFKD), as searches compare it. */
export const searchNormalized = (text: SQLWrapper): SQL =>
  sql`lower(regexp_replace(normalize(${text}, NFKD), '[\\u0300-\\u036f]', '', 'g'))`

/** Characters of a `searchable` text: at four bytes each they fit into an index entry. */
const MAX_SEARCH_LENGTH = 500

/** A generated column with the search-normalized text of `sources`, one per line, for searching and sorting. */
export const searchable = (...sources: string[]) =>
  plainText()
    .notNull()
    .generatedAlwaysAs(
      sql`left(${searchNormalized(sql.raw(sources.join(" || E'\\n' || ")))}, ${sql.raw(`${MAX_SEARCH_LENGTH}`)})`,
    )

/** SQL for a text with every whole number padded to ten digits, so that shelf 1.2 sorts before 1.10. */
export const numbersPadded = (text: SQLWrapper): SQL =>
  sql`regexp_replace(regexp_replace(${text}, '(\\d+)', '000000000\\1', 'g'), '0*(\\d{10})', '\\1', 'g')`
