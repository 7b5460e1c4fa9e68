import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

// One damaged row must not break queries of the others.

/** RFC 3339; null for no time and for one that a Date can't represent, such as `infinity` in a damaged row. */
export const timeText = (time: Date | null): string | null =>
  time === null || Number.isNaN(time.getTime()) ? null : time.toISOString()

/** A stored `numeric`; null for the `NaN` and infinities of a damaged row, which JSON can't represent. */
export const finite = (column: SQLWrapper): SQL<number | null> =>
  sql<
    number | null
  >`(case when ${column} > '-infinity' and ${column} < 'infinity' then ${column} end)::float8`
