import type { Change } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import type { Progress } from '#web/api/upload.ts'
import { type Conflict, conflictsOf, dirtyFields, dirtyValues, merged } from '#web/forms/draft.ts'
import type { Versioned } from './overlay.ts'
import type { Typed } from './typed.tsx'

/** A row of the lists of users, categories and products. */
export type ManagedRow = Versioned & { status: string }

/** What lists of users, categories and products do differently. `Values`: what an edit form holds. */
export type Resource<Row extends ManagedRow, Values extends object> = {
  entity: Change['entity']
  /** What a row is called in labels and messages. */
  nameOf: (row: Row) => string
  /** A field's value as text, also where it says nothing by itself, for histories and comparisons. */
  valueText: (field: string, value: unknown) => string
  /** What the form of a row starts with. */
  valuesOf: (row: Row) => Values
  /** The row as it will be when these values are saved. */
  preview: (row: Row, values: Values) => Row
  /** Saves the changed fields of this version of the row. */
  save: (row: Row, changes: Partial<Values>, onProgress: Progress) => Promise<Row>
  remove: (row: Row) => Promise<void>
}

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

/** How often a save is tried again over what others saved meanwhile. */
const MAX_TRIES = 5

/** What a refusal as stale says of the row's present state; null for any other failure. */
export function theirsOf<Row extends ManagedRow>(error: unknown, mine: Row): Row | null {
  if (!(error instanceof ShopError) || error.code !== 'version.stale') return null
  const { current } = error.details
  return typeof current === 'object' && current !== null ? { ...mine, ...current } : null
}

/** Who changed a row meanwhile: this page, by a change of many rows, somebody else, or both. */
export type ChangedBy = 'self' | 'others' | 'both'

/** Who changed a row from one version to a later one. `own`: its versions that this page has made. */
export function changedBy(from: number, to: number, own: ReadonlySet<number>): ChangedBy {
  const between = Array.from({ length: to - from }, (_, i) => own.has(from + 1 + i))
  if (!between.includes(true)) return 'others'
  return between.includes(false) ? 'both' : 'self'
}

/** A saved row, the version of it that was saved over, and the fields that were changed meanwhile and stay so. */
type Saved<Row> = { row: Row; over: number; kept: readonly string[] }

/**
 * Saves the dirty fields of a draft. What was saved meanwhile in other fields stays.
 * @throws ShopError `version.stale` when both changed the same field, and what `save` throws
 */
export async function saveDraft<Row extends ManagedRow, Values extends object>(
  { valuesOf, save }: Pick<Resource<Row, Values>, 'valuesOf' | 'save'>,
  base: Row,
  draft: Values,
  onProgress: Progress,
): Promise<Saved<Row>> {
  const began = valuesOf(base)
  const changes = dirtyValues(began, draft)
  let onto = base
  for (let tries = 1; ; tries++) {
    try {
      const row = await save(onto, changes, onProgress)
      const others = dirtyFields(began, valuesOf(onto))
      return { row, over: onto.version, kept: others.filter((field) => !(field in changes)) }
    } catch (error) {
      const theirs = theirsOf(error, base)
      if (!theirs || tries === MAX_TRIES) throw error
      if (conflictsOf(began, draft, valuesOf(theirs)).length > 0) throw error
      onto = theirs
    }
  }
}
