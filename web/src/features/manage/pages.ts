import type { Paged } from '@befaqt/domain/api/box-api'

/** What has been read so far of a list in pages. `total` is null before the first. */
export type Pages<Row> = { rows: readonly Row[]; next: number; total: number | null; hasMore: boolean }

/**
 * The list with one more page. A row that came at the top meanwhile moves others to the next page, where they were
 * read before: each is kept once.
 */
export function withPage<Row>(
  { rows, next }: Pages<Row>,
  page: Paged<Row>,
  idOf: (row: Row) => string | number,
): Pages<Row> {
  const known = new Set(rows.map(idOf))
  return {
    rows: [...rows, ...page.rows.filter((row) => !known.has(idOf(row)))],
    next: next + 1,
    total: page.total,
    hasMore: page.page * page.size < page.total,
  }
}
