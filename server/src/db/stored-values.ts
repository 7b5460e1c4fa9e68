import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

// One damaged row must harm only itself.

/** RFC 3339; null for no time and for one that a Date can't hold, as `infinity` in a damaged row. */
export const timeText = (time: Date | null): string | null =>
  time === null || Number.isNaN(time.getTime()) ? null : time.toISOString()

/** A stored `numeric`; 0 for `NaN` and infinities, which JSON can't hold, in a damaged row. */
export const finite = (column: SQLWrapper): SQL<number> =>
  sql<number>`(case when ${column} > '-infinity' and ${column} < 'infinity' then ${column} else 0 end)::float8`
