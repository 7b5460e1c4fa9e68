import { ShopError } from '@befaqt/domain/errors'
import type { Progress } from '#web/api/upload.ts'
import { conflictsOf, dirtyFields, dirtyValues } from '#web/forms/draft.ts'
import type { ManagedRow, Resource } from './resource.ts'

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
export type Saved<Row> = { row: Row; over: number; kept: readonly string[] }

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
