import type { Paged } from '@befaqt/domain/api/box-api'
import { useCallback, useEffect, useRef, useState } from 'react'
import { visitorWords } from '#web/api/hydration.ts'
import { type Pages, withPage } from './pages.ts'

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
        if (mine === turn.current) setFailure(visitorWords(error))
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
