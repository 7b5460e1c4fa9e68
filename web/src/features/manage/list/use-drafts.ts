import { useEffect, useReducer, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useDirtyGuard } from '#web/forms/dirty-guard.tsx'
import type { ManagedRow, Resource } from './resource.ts'
import { type DraftAction, draftsAfter, noDrafts, type RowDrafts } from './row-drafts.ts'
import { rowStore } from './row-store.ts'

/** The name under which the guard of dirty forms knows the form of a row. */
export const formOf = (id: string): string => `row ${id}`

/** The drafts of a list, each known to the guard as long as it is dirty, and kept over a reload of the page. */
export function useDrafts<Row extends ManagedRow, Values extends object>({
  valuesOf,
}: Pick<Resource<Row, Values>, 'valuesOf'>) {
  const [drafts, dispatch] = useReducer(
    (now: RowDrafts<Row, Values>, action: DraftAction<Row, Values>) => draftsAfter(now, action),
    noDrafts,
  )
  const { pathname } = useLocation()
  const [store] = useState(() => rowStore<Row, Values>(pathname))
  const startOf = useRef(valuesOf)
  const { set } = useDirtyGuard()
  useEffect(() => {
    for (const { base, ...kept } of store.kept())
      dispatch({ type: 'restore', row: base, start: startOf.current(base), ...kept })
  }, [store])
  useEffect(() => {
    store.show(drafts)
    const dirty = [...drafts.byId].filter(([, { dirty }]) => dirty).map(([id]) => id)
    for (const id of dirty)
      set(formOf(id), () => {
        store.forget(id)
        dispatch({ type: 'end', id })
      })
    return () => {
      for (const id of dirty) set(formOf(id), null)
    }
  }, [drafts, set, store])
  return { drafts, dispatch, isAlive: store.has, keepTyped: store.keep }
}
