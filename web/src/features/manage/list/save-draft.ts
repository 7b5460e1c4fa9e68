import { ShopError } from '@befaqt/domain/errors'
import { conflictsOf, dirtyFields, dirtyValues } from '#web/forms/draft.ts'
import type { Progress } from '../send.ts'
import type { ManagedRow, Resource } from './resource.ts'

/** How often a save is tried again over what others saved meanwhile. */
const MAX_TRIES = 5

/** What a refusal as stale says of the row's present state; null for any other failure. */
export function theirsOf<Row extends ManagedRow>(error: unknown, mine: Row): Row | null {
  if (!(error instanceof ShopError) || error.code !== 'version.stale') return null
  const { current } = error.details
  return typeof current === 'object' && current !== null ? { ...mine, ...current } : null
}

/** A saved row, and the fields that somebody else had changed meanwhile, which stay as they made them. */
export type Saved<Row> = { row: Row; kept: readonly string[] }

/**
 * Saves the dirty fields of a draft. What somebody else saved meanwhile in other fields stays.
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
      return { row, kept: others.filter((field) => !(field in changes)) }
    } catch (error) {
      const theirs = theirsOf(error, base)
      if (!theirs || tries === MAX_TRIES) throw error
      if (conflictsOf(began, draft, valuesOf(theirs)).length > 0) throw error
      onto = theirs
    }
  }
}
