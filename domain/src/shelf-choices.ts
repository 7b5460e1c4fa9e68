/**
 * What a public list can be narrowed by, as named in its address. Several values of one kind: any of them; several kinds:
 * all of them.
 */
export const choiceKinds = ['tracked', 'special', 'bestBy', 'cut', 'origin', 'method'] as const
export type ChoiceKind = (typeof choiceKinds)[number]

/** With those that have one value of their own in an address, older than the others. In the order of a page. */
export const facetKinds = ['category', 'stock', 'fresh', ...choiceKinds] as const
export type FacetKind = (typeof facetKinds)[number]

/** Kinds of which an address may name several values. */
export const manyOf: readonly FacetKind[] = ['origin', 'method', 'cut']

/** The values chosen, by kind. */
export type Choices = Readonly<Record<FacetKind, readonly string[]>>

/** The only value of what is so or not. */
export const YES = 'yes'
/** Values of one kind that an address may name. */
export const MAX_CHOSEN = 10
/** Characters of one value. */
export const MAX_CHOICE = 60

/** A name as it stands in an address: 'new-zealand' of 'New Zealand'. */
export const choiceValue = (name: string): string =>
  (
    name
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  )
    .join('-')
    .slice(0, MAX_CHOICE)
