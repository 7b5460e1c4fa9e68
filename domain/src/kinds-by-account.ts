/**
 * Kinds of records whose `by` is the account or key that made them, written as in the audit log. In other kinds `by`
 * comes from the submitted data.
 */
export const kindsByAccount = [
  'freshness',
  'handover',
  'sale',
  'loss',
  'recall',
  'correction',
  'seal',
] as const
