import { useEffect, useReducer, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { useDirtyGuard } from '#web/forms/dirty-guard.tsx'
import { storedNames } from '#web/forms/draft-storage.ts'
import { dropDraft, storeDraft, storedDraft } from '#web/forms/stored-drafts.ts'
import type { Versioned } from './overlay.ts'
import {
  type DraftAction,
  draftsAfter,
  type ManagedRow,
  noDrafts,
  type Resource,
  type RowDrafts,
} from './row-drafts.ts'
import type { Typed } from './typed.tsx'

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

/** A draft of a row as the tab keeps it over a reload. */
type StoredDraft<Row> = { base: Row; typed: Typed; isOpen: boolean }

/**
 * Keeps the dirty drafts of a list over a reload of the page, until they are over.
 * @param list tells the drafts of this list from those of others
 */
function rowStore<Row extends Versioned, Values>(list: string) {
  const typed = new Map<string, Typed>()
  let now: RowDrafts<Row, Values> = noDrafts
  const nameOf = (id: string): string => `${list} row ${id}`
  const store = (id: string) => {
    const [draft, text] = [now.byId.get(id), typed.get(id)]
    if (!draft?.dirty || !text) return
    const stored: StoredDraft<Row> = { base: draft.base, typed: text, isOpen: now.open === id }
    storeDraft(nameOf(id), stored)
  }
  const forget = (id: string) => {
    typed.delete(id)
    dropDraft(nameOf(id))
  }
  return {
    /** What was kept of drafts that no page has any more. */
    kept: (): StoredDraft<Row>[] =>
      storedNames(nameOf('')).flatMap((id) => storedDraft<StoredDraft<Row>>(nameOf(id)) ?? []),
    /** Keeps the drafts that are dirty now, and forgets those that are over. */
    show: (drafts: RowDrafts<Row, Values>) => {
      for (const id of now.byId.keys()) if (!drafts.byId.has(id)) forget(id)
      now = drafts
      for (const id of drafts.byId.keys()) store(id)
    },
    /** Keeps what is typed into the form of a row, once its draft is dirty. */
    keep: (id: string, text: Typed) => {
      typed.set(id, text)
      store(id)
    },
    forget,
    /** Whether there is a draft of this row as far as was shown. */
    has: (id: string): boolean => now.byId.has(id),
  }
}
