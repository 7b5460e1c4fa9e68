import { DAY_MS } from '@befaqt/domain/durations'
import { lt } from 'drizzle-orm'
import { deletes, moment, type Retention } from '#server/db/retention.ts'
import { deskViews } from '#server/db/schema/desk.ts'

/** Views that were deleted can be brought back for a day. */
export const deskRetention: readonly Retention[] = [
  deletes(deskViews, (now) => lt(deskViews.deletedAt, moment(now, DAY_MS))),
]
