import { DAY_MS } from '@befaqt/domain/durations'
import { and, isNotNull, lt, sql } from 'drizzle-orm'
import { blanks, deletes, moment, type Retention } from '#server/db/retention.ts'
import { fieldEntries, invitations } from '#server/db/schema/suppliers.ts'

/** Used and lapsed ones stay for a week, so that opening one late can say what is wrong with it. */
const LAPSED_MS = 7 * DAY_MS

/**
 * Invitations, and what was said by claims that lapsed: that these were sent stays, so that the same is not taken twice.
 */
export const fieldRetention: readonly Retention[] = [
  deletes(invitations, (now) => lt(invitations.expiresAt, moment(now, LAPSED_MS))),
  blanks(fieldEntries, sql`kept = null`, (now) =>
    and(isNotNull(fieldEntries.kept), lt(fieldEntries.waitsUntil, moment(now, LAPSED_MS))),
  ),
]
