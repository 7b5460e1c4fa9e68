/**
 * Kinds of records whose `by` is the account or key that made them, as histories of changes name it. Of the others it
 * is who or what the submitted data names.
 */
export const kindsByUs = ['freshness', 'correction', 'seal'] as const
