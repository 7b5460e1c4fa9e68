import { asc, eq } from 'drizzle-orm'
import { atOnce, type PersonalData } from '#server/db/personal-data.ts'
import { stockNotices } from '#server/db/schema/shop.ts'

/** What somebody wants to be told of. */
export const noticeData: readonly PersonalData[] = [
  atOnce('stockNotices', [stockNotices], (db, userId) => {
    const { productId, species, email, confirmedAt, createdAt, endsAt } = stockNotices
    return db
      .select({ productId, species, email, confirmedAt, createdAt, endsAt })
      .from(stockNotices)
      .where(eq(stockNotices.userId, userId))
      .orderBy(asc(stockNotices.createdAt), asc(stockNotices.id))
  }),
]
