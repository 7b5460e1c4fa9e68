import { useEffect, useRef } from 'react'

/**
 * Moves the focus of a removed row to its neighbour, or to what says that there is none (`data-empty`).
 * Nothing is taken from a focus that has moved on meanwhile.
 * @param action what of the neighbour takes the focus: its `data-action`
 */
export function useFocusAfterRemoval<Place extends HTMLElement>(action: string) {
  const place = useRef<Place>(null)
  const removed = useRef<{ row: string; next: string } | null>(null)
  useEffect(() => {
    if (!removed.current || !place.current) return
    const { row, next } = removed.current
    if (place.current.querySelector(row)) return
    removed.current = null
    if (document.activeElement === document.body) place.current.querySelector<HTMLElement>(next)?.focus()
  })
  /** Says that this row is about to go. `ids`: of all rows, in their order. */
  const removing = (ids: readonly string[], id: string) => {
    const at = ids.indexOf(id)
    const neighbour = ids[at + 1] ?? ids[at - 1]
    removed.current = {
      row: rowSelector(id),
      next: neighbour === undefined ? '[data-empty]' : `${rowSelector(neighbour)} [data-action="${action}"]`,
    }
  }
  return { place, removing }
}

const rowSelector = (id: string): string => `[data-row="${CSS.escape(id)}"]`
