/** Two values are the same when they are written the same. */
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const fieldOf = (values: object, field: string): unknown => new Map(Object.entries(values)).get(field)

/** Names of the fields that a draft has differently from what it began with. */
export const dirtyFields = (base: object, draft: object): string[] =>
  Object.keys(draft).filter((field) => !same(fieldOf(base, field), fieldOf(draft, field)))

/** The dirty fields of a draft: all that is sent of it. */
export function dirtyValues<Values extends object>(base: Values, draft: Values): Partial<Values> {
  const dirty = dirtyFields(base, draft)
  const changes: Partial<Values> = {}
  return Object.assign(
    changes,
    Object.fromEntries(Object.entries(draft).filter(([name]) => dirty.includes(name))),
  )
}

/** A field that two people changed to different values, from the same beginning. */
export type Conflict = { field: string; mine: unknown; theirs: unknown }

/** Fields in which a draft and what somebody else saved meanwhile contradict each other. */
export const conflictsOf = (base: object, draft: object, theirs: object): Conflict[] =>
  dirtyFields(base, draft)
    .filter((field) => !same(fieldOf(base, field), fieldOf(theirs, field)))
    .filter((field) => !same(fieldOf(draft, field), fieldOf(theirs, field)))
    .map((field) => ({ field, mine: fieldOf(draft, field), theirs: fieldOf(theirs, field) }))

/**
 * What somebody else saved, with the dirty fields of a draft over it.
 * @param takeTheirs dirty fields that are given up
 */
export const merged = <Values extends object>(
  base: Values,
  draft: Values,
  theirs: Values,
  takeTheirs: ReadonlySet<string> = new Set(),
): Values => ({
  ...theirs,
  ...Object.fromEntries(Object.entries(dirtyValues(base, draft)).filter(([field]) => !takeTheirs.has(field))),
})
