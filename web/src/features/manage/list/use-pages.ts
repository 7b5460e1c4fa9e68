import type { Paged } from '@befaqt/domain/api/box-api'
import { useCallback, useEffect, useRef, useState } from 'react'
import { userMessage } from '#web/api/hydration.ts'

/**
 * A list that is read page after page, one at a time. What was read stays when a page can't be had.
 * @param read reads a page, counted from 1; the list begins anew when this is another function
 */
export function usePages<Row>(
  read: (page: number) => Promise<Paged<Row>>,
  idOf: (row: Row) => string | number,
) {
  const [pages, setPages] = useState<Pages<Row>>({ rows: [], next: 1, total: null, hasMore: true })
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(true)
  const turn = useRef(0)
  const ids = useRef(idOf)
  const load = useCallback(
    async (before: Pages<Row>) => {
      const mine = ++turn.current
      setBusy(true)
      setFailure(null)
      try {
        const page = await read(before.next)
        if (mine === turn.current) setPages(withPage(before, page, ids.current))
      } catch (error) {
        if (mine === turn.current) setFailure(userMessage(error))
      } finally {
        if (mine === turn.current) setBusy(false)
      }
    },
    [read],
  )
  useEffect(() => {
    void load({ rows: [], next: 1, total: null, hasMore: true })
    return () => {
      turn.current += 1
    }
  }, [load])
  return { ...pages, busy, failure, more: () => void (busy || load(pages)) }
}

/** What has been read so far of a list in pages. `total` is null before the first. */
type Pages<Row> = { rows: readonly Row[]; next: number; total: number | null; hasMore: boolean }

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
