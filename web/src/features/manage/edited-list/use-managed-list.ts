import type { Paged } from '@befaqt/domain/api/box-api'
import { useReducer, useRef, useState } from 'react'
import { useRevalidator } from 'react-router'
import { userMessage } from '#web/api/hydration.ts'
import { useDirtyGuard } from '#web/forms/dirty-guard.tsx'
import { conflictsOf, dirtyFields } from '#web/forms/draft.ts'
import { isLoggedOut } from '../form-parts.tsx'
import { fieldName } from '../list/differences.ts'
import { emptyOverlay, type Overlay, type OverlayAction, overlaid, overlayAfter } from './overlay.ts'
import {
  type ChangedBy,
  changedBy,
  type DraftConflict,
  type ManagedRow,
  type Resource,
  type RowDraft,
  type RowDrafts,
  saveDraft,
  theirsOf,
} from './row-drafts.ts'
import { formOf, useDrafts } from './use-drafts.ts'

const useOverlay = <Row extends ManagedRow>() =>
  useReducer(
    (overlay: Overlay<Row>, action: OverlayAction<Row>) => overlayAfter(overlay, action),
    emptyOverlay,
  )

function conflictOf<Row extends ManagedRow, Values extends object>(
  { valuesOf }: Resource<Row, Values>,
  base: Row,
  mine: Values,
  theirs: Row,
  by: ChangedBy,
): DraftConflict<Row, Values> {
  const values = { base: valuesOf(base), mine, theirs: valuesOf(theirs) }
  return { theirs, values, fields: conflictsOf(values.base, mine, values.theirs), by }
}

/** The versions of rows that this page has made by changing many at once. */
function useOwnVersions<Row extends ManagedRow>() {
  const own = useRef(new Map<string, ReadonlySet<number>>())
  const of = (id: string): ReadonlySet<number> => own.current.get(id) ?? new Set()
  return {
    note: (rows: readonly Row[]) => {
      for (const { _id, version } of rows) own.current.set(_id, new Set([...of(_id), version]))
    },
    changedBy: ({ _id, version }: Row, to: number) => changedBy(version, to, of(_id)),
  }
}

const whoChanged = { self: 'you changed', others: 'somebody else changed', both: 'was changed' } as const

/** Message about fields that were changed while a draft of their row was made. */
const keptText = (by: ChangedBy, fields: readonly string[]): string =>
  fields.length === 0
    ? ''
    : ` What ${whoChanged[by]} in the meantime stays: ${fields.map(fieldName).join(', ')}.`

/** Rows with a live draft that a newer reading of the page no longer has. */
function editedElsewhere<Row extends ManagedRow, Values extends object>(
  rows: readonly Row[],
  { byId }: RowDrafts<Row, Values>,
  { optimistic, deleted }: Overlay<Row>,
): Row[] {
  const left = [...byId].filter(
    ([id, { dirty }]) =>
      dirty && !rows.some(({ _id }) => _id === id) && !deleted.has(id) && optimistic.get(id) !== null,
  )
  return left.map(([, { base }]) => base)
}

/**
 * A list of managers: what the page has loaded, with changes under way shown over it and taken off when they fail; one
 * row in edit at a time, its draft alive until the shop has saved it. Source: spec §4.
 */
export function useManagedList<Row extends ManagedRow, Values extends object>(
  resource: Resource<Row, Values>,
  loaded: Paged<Row>,
) {
  const [overlay, lay] = useOverlay<Row>()
  const { drafts, dispatch, isAlive, keepTyped } = useDrafts(resource)
  const [failure, setFailure] = useState<{ message: string; loggedOut: boolean } | null>(null)
  const [status, setStatus] = useState('')
  const [added, setAdded] = useState<Row | null>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const own = useOwnVersions<Row>()
  const { revalidate } = useRevalidator()
  const { confirm } = useDirtyGuard()

  const fail = (error: unknown) => setFailure({ message: userMessage(error), loggedOut: isLoggedOut(error) })
  /** Forgets what was said before: something new begins. */
  const begin = () => {
    setFailure(null)
    setStatus('')
    setAdded(null)
  }

  const save = async (draft: RowDraft<Row, Values>, values: Values) => {
    const { base } = draft
    const id = base._id
    begin()
    if (dirtyFields(resource.valuesOf(base), values).length === 0) {
      dispatch({ type: 'end', id })
      return setStatus(`Nothing of ${resource.nameOf(base)} was changed.`)
    }
    dispatch({ type: 'saving', id })
    lay({ type: 'begin', rows: [resource.preview(base, values)] })
    try {
      const { row, over, kept } = await saveDraft(resource, base, values, setProgress)
      lay({ type: 'end', ids: [id], rows: [row] })
      dispatch({ type: 'end', id })
      setStatus(`Saved ${resource.nameOf(row)}.${keptText(own.changedBy(base, over), kept)}`)
    } catch (error) {
      const theirs = theirsOf(error, base)
      lay({ type: 'end', ids: [id], rows: theirs ? [theirs] : [] })
      if (!isAlive(id)) fail(error)
      const conflict =
        theirs && conflictOf(resource, base, values, theirs, own.changedBy(base, theirs.version))
      dispatch({
        type: 'failed',
        id,
        failure: { message: userMessage(error), loggedOut: isLoggedOut(error), conflict },
      })
      throw error
    } finally {
      setProgress(null)
    }
    await revalidate()
  }

  const remove = async (row: Row) => {
    begin()
    lay({ type: 'beginDelete', id: row._id })
    try {
      await resource.remove(row)
      lay({ type: 'deleted', id: row._id })
      dispatch({ type: 'end', id: row._id })
      setStatus(`Deleted ${resource.nameOf(row)}.`)
      await revalidate()
    } catch (error) {
      const theirs = theirsOf(error, row)
      lay({ type: 'end', ids: [row._id], rows: theirs ? [theirs] : [] })
      fail(error)
    }
  }

  /** Says that a row was created, and reads the list again: only the shop knows where in it the row belongs. */
  const add = async (row: Row) => {
    begin()
    setStatus(`Added ${resource.nameOf(row)}.`)
    await revalidate()
    setAdded(row)
  }

  /** Changes many rows at once; `call` answers those that are different now. @throws what `call` throws */
  const changeMany = async (after: readonly Row[], call: () => Promise<readonly Row[]>) => {
    const ids = after.map(({ _id }) => _id)
    lay({ type: 'begin', rows: after })
    try {
      const rows = await call()
      own.note(rows)
      lay({ type: 'end', ids, rows })
    } catch (error) {
      lay({ type: 'end', ids, rows: [] })
      throw error
    }
    await revalidate()
  }

  /** Shows a row as the shop has answered it. @param isOwn this page has made that version, outside the row's draft */
  const answer = (row: Row, isOwn: boolean) => {
    if (isOwn) own.note([row])
    lay({ type: 'end', ids: [], rows: [row] })
  }

  const page = overlaid(loaded, overlay)
  return {
    page,
    /** The rows of the page, and those that are being edited and have left it since. */
    rows: [...page.rows, ...editedElsewhere(page.rows, drafts, overlay)],
    busy: new Set(overlay.optimistic.keys()),
    drafts,
    failure,
    /** What was done last, as text. */
    status,
    /** What was made last, where it is not among the rows: on another page, or not what is searched for. */
    addedElsewhere: added && !page.rows.some(({ _id }) => _id === added._id) ? added : null,
    /** Part of an upload that has left, 0 to 1; null while nothing is sent. */
    progress,
    begin,
    fail,
    setStatus,
    dismiss: () => setFailure(null),
    edit: (row: Row) => {
      begin()
      dispatch({ type: 'edit', row, start: resource.valuesOf(row) })
    },
    resume: (id: string, takeTheirs: ReadonlySet<string> = new Set()) =>
      dispatch({ type: 'resume', id, takeTheirs }),
    dismissDraft: (id: string) => dispatch({ type: 'dismiss', id }),
    discard: (id: string) => dispatch({ type: 'end', id }),
    cancel: (id: string) => confirm(formOf(id), () => dispatch({ type: 'end', id })),
    setDirty: (id: string) => dispatch({ type: 'dirty', id }),
    keepTyped,
    add: (row: Row) => void add(row),
    save,
    remove: (row: Row) => void remove(row),
    changeMany,
    answer,
  }
}
export type ManagedList<Row extends ManagedRow, Values extends object> = ReturnType<
  typeof useManagedList<Row, Values>
>
