import { ShopError } from '@befaqt/domain/errors'
import { useState } from 'react'
import { visitorWords } from '#web/api/hydration.ts'
import type { FieldErrors } from '#web/features/account/use-form.ts'
import type { ListKind } from './list-kind.ts'
import { useUnsaved } from './unsaved.tsx'
import { useManagedRows } from './use-managed-rows.ts'

type Row = { _id: string; version: number; status: string }

/** The one row that is open for editing. */
export type Editing<R, Draft> = { row: R; draft: Draft | null; faults: FieldErrors }

/** What could not be saved, and what can be done about it. */
export type Failure<R, Draft> = {
  message: string
  retry: Editing<R, Draft> | null
  /** What somebody else made of the row meanwhile. */
  theirs: R | null
}

/** The name under which the guard of unsaved edits knows the form in a list's row. */
const FORM = 'row'

const faultsOf = (error: unknown): FieldErrors =>
  error instanceof ShopError
    ? Object.fromEntries(error.fields.map(({ path, message }) => [path, message]))
    : {}

/** What a refusal as stale says of the row's present state; null for any other failure. */
function theirsOf<R extends Row>(error: unknown, mine: R): R | null {
  if (!(error instanceof ShopError) || error.code !== 'version.stale') return null
  const { current } = error.details
  return typeof current === 'object' && current !== null ? { ...mine, ...current } : null
}

/** A list of managers: one row in edit at a time, saves and deletes shown at once and rolled back. Source: spec §4. */
export function useManagedList<R extends Row, Draft>(kind: ListKind<R, Draft>, loaded: readonly R[]) {
  const list = useManagedRows(loaded, (row) => row._id)
  const [editing, setEditing] = useState<Editing<R, Draft> | null>(null)
  const [failure, setFailure] = useState<Failure<R, Draft> | null>(null)
  const [said, setSaid] = useState('')
  const [sent, setSent] = useState<number | null>(null)
  const { mark, leave } = useUnsaved()

  const close = () => {
    mark(FORM, false)
    setEditing(null)
  }
  const edit = (next: Editing<R, Draft>) =>
    leave(FORM, () => {
      setFailure(null)
      setSaid('')
      setEditing(next)
    })

  const save = async (row: R, draft: Draft) => {
    close()
    setFailure(null)
    setSaid('')
    try {
      await list.change([row], [kind.preview(row, draft)], async () => [await kind.save(row, draft, setSent)])
      setSaid(`Saved ${kind.nameOf(kind.preview(row, draft))}.`)
      kind.settled?.()
    } catch (error) {
      const theirs = theirsOf(error, row)
      if (theirs) list.replace(theirs)
      const retry = { row: theirs ?? row, draft, faults: faultsOf(error) }
      setFailure({ message: visitorWords(error), retry, theirs })
    } finally {
      setSent(null)
    }
  }

  const remove = async (row: R) => {
    setFailure(null)
    setSaid('')
    try {
      await list.remove(row, () => kind.remove(row))
      setSaid(`Deleted ${kind.nameOf(row)}.`)
      kind.settled?.()
    } catch (error) {
      const theirs = theirsOf(error, row)
      if (theirs) list.replace(theirs)
      setFailure({ message: visitorWords(error), retry: null, theirs: null })
    }
  }

  return {
    ...list,
    editing,
    failure,
    said,
    /** Part of an upload that has left, 0 to 1; null while nothing is sent. */
    sent,
    dismiss: () => setFailure(null),
    fail: (error: unknown) => setFailure({ message: visitorWords(error), retry: null, theirs: null }),
    say: setSaid,
    begin: (row: R) => edit({ row, draft: null, faults: {} }),
    keepEditing: edit,
    cancel: () => leave(FORM, close),
    touched: () => mark(FORM, true),
    save: (row: R, draft: Draft) => void save(row, draft),
    remove: (row: R) => void remove(row),
  }
}
export type ManagedList<R extends Row, Draft> = ReturnType<typeof useManagedList<R, Draft>>
