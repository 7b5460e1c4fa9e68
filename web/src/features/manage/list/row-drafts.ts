import { type Conflict, merged } from '#web/forms/draft.ts'
import type { Versioned } from './overlay.ts'
import type { ChangedBy } from './save-draft.ts'
import type { Typed } from './use-typed.ts'

/** Why a draft could not be saved. */
export type DraftFailure<Row, Values> = {
  message: string
  /** Nobody is logged in any more. */
  loggedOut: boolean
  conflict: DraftConflict<Row, Values> | null
}

/** What was made of a row meanwhile, and where it contradicts what was sent. */
export type DraftConflict<Row, Values> = {
  theirs: Row
  /** The values that both began with, and what each made of them. */
  values: { base: Values; mine: Values; theirs: Values }
  fields: readonly Conflict[]
  by: ChangedBy
}

/** What is being made of a row. It lives until the shop has saved it or it is discarded. */
export type RowDraft<Row, Values> = {
  /** The row that the draft is about, in the version that it began with. */
  base: Row
  /** What the form starts with. */
  start: Values
  /** Which start this is: with another one the form begins anew. */
  attempt: number
  /** What was typed before the page was loaded anew, to be put into the form. */
  typed: Typed | null
  dirty: boolean
  saving: boolean
  failure: DraftFailure<Row, Values> | null
}

/** All drafts of a list. One is open at a time; the forms of the others are there and out of sight. */
export type RowDrafts<Row, Values> = {
  open: string | null
  byId: ReadonlyMap<string, RowDraft<Row, Values>>
}

export type DraftAction<Row, Values> =
  | { type: 'edit'; row: Row; start: Values }
  /** A draft from before the page was loaded anew. */
  | { type: 'restore'; row: Row; start: Values; typed: Typed; isOpen: boolean }
  | { type: 'dirty'; id: string }
  | { type: 'saving'; id: string }
  | { type: 'failed'; id: string; failure: DraftFailure<Row, Values> }
  /** Takes a draft up again; `takeTheirs` are the fields of its conflict that are given up. */
  | { type: 'resume'; id: string; takeTheirs: ReadonlySet<string> }
  | { type: 'dismiss'; id: string }
  /** The draft is over: saved, cancelled or discarded. */
  | { type: 'end'; id: string }

/** No row is being edited. */
export const noDrafts: RowDrafts<never, never> = { open: null, byId: new Map<string, never>() }

/** The drafts after something happened to one. */
export function draftsAfter<Row extends Versioned, Values extends object>(
  drafts: RowDrafts<Row, Values>,
  action: DraftAction<Row, Values>,
): RowDrafts<Row, Values> {
  const id = 'row' in action ? action.row._id : action.id
  const draft = drafts.byId.get(id)
  const changed = (to: Partial<RowDraft<Row, Values>>, open = drafts.open): RowDrafts<Row, Values> =>
    draft ? { open, byId: new Map(drafts.byId).set(id, { ...draft, ...to }) } : drafts
  switch (action.type) {
    case 'edit':
      return opened(drafts, id, draft ? resumed(draft) : freshDraft(action.row, action.start))
    case 'restore': {
      const { row, start, typed, isOpen } = action
      const restored = { ...freshDraft(row, start), typed, dirty: true }
      return { open: isOpen ? id : drafts.open, byId: new Map(drafts.byId).set(id, restored) }
    }
    case 'dirty':
      return draft?.dirty ? drafts : changed({ dirty: true })
    case 'saving':
      return changed({ saving: true, failure: null }, drafts.open === id ? null : drafts.open)
    case 'failed':
      return changed({ saving: false, dirty: true, failure: action.failure })
    case 'dismiss':
      return changed({ failure: null })
    case 'resume':
      return draft ? opened(drafts, id, resumed(draft, action.takeTheirs)) : drafts
    case 'end': {
      const byId = new Map(drafts.byId)
      byId.delete(id)
      return { open: drafts.open === id ? null : drafts.open, byId }
    }
  }
}

const freshDraft = <Row, Values>(base: Row, start: Values): RowDraft<Row, Values> => ({
  base,
  start,
  attempt: 1,
  typed: null,
  dirty: false,
  saving: false,
  failure: null,
})

/** The drafts with this one in sight. Another one that nothing was typed into is over. */
function opened<Row, Values>(
  { byId }: RowDrafts<Row, Values>,
  id: string,
  draft: RowDraft<Row, Values>,
): RowDrafts<Row, Values> {
  const others = [...byId].filter(([, { dirty, saving }]) => dirty || saving)
  return { open: id, byId: new Map(others).set(id, draft) }
}

/** The draft with what somebody else saved beneath it; where there was no conflict, as it was left. */
function resumed<Row, Values extends object>(
  draft: RowDraft<Row, Values>,
  takeTheirs: ReadonlySet<string> = new Set(),
): RowDraft<Row, Values> {
  const conflict = draft.failure?.conflict
  if (!conflict) return { ...draft, failure: null }
  const { base, mine, theirs } = conflict.values
  const start = merged(base, mine, theirs, takeTheirs)
  return { ...draft, base: conflict.theirs, start, typed: null, attempt: draft.attempt + 1, failure: null }
}
