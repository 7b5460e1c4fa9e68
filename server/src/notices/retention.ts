import { lt } from 'drizzle-orm'
import { deletes, moment, type Retention } from '#server/db/retention.ts'
import { stockNotices } from '#server/db/schema/shop.ts'

/** Wishes that are over: those that nobody confirmed, and those that waited for long enough. */
export const noticeRetention: readonly Retention[] = [
  deletes(stockNotices, (now) => lt(stockNotices.endsAt, moment(now))),
]
