import type { Paged } from '@befaqt/domain/api/box-api'
import { useCallback, useEffect, useRef, useState } from 'react'
import { userMessage } from '#web/api/hydration.ts'

/**
 * A list that is read page after page, one at a time. What was read stays when a page can't be had.
 * @param read reads a part: the first, one after a place, or one by its number; the list begins anew when this is another function
 */
export function usePages<Row>(
  read: (at: PartAsked) => Promise<Paged<Row>>,
  idOf: (row: Row) => string | number,
) {
  const [pages, setPages] = useState<Pages<Row>>(nothing)
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
    void load(nothing)
    return () => {
      turn.current += 1
    }
  }, [load])
  return { ...pages, busy, failure, more: () => void (busy || load(pages)) }
}

/** What has been read so far of a list in pages. `total` is null before the first. */
type Pages<Row> = { rows: readonly Row[]; next: PartAsked; total: number | null; hasMore: boolean }

/** What is read next: after a place, or where a list has none, by the number of a page. */
export type PartAsked = { after?: string; page?: number }

const nothing = { rows: [], next: {}, total: null, hasMore: true }

/**
 * The list with one more part. Where parts have numbers, a row that came at the top meanwhile moves others to the next,
 * where they were read before: each is kept once.
 */
export function withPage<Row>(
  { rows }: Pick<Pages<Row>, 'rows'>,
  page: Paged<Row>,
  idOf: (row: Row) => string | number,
): Pages<Row> {
  const known = new Set(rows.map(idOf))
  const { next } = page
  return {
    rows: [...rows, ...page.rows.filter((row) => !known.has(idOf(row)))],
    next: next ? { after: next } : { page: page.page + 1 },
    total: page.total,
    hasMore: next === undefined ? page.page * page.size < page.total : next !== null,
  }
}
