import { asc, eq } from 'drizzle-orm'
import { atOnce, type PersonalData } from '#server/db/personal-data.ts'
import { deskViews, openingViews } from '#server/db/schema/desk.ts'

/** How somebody keeps the lists of the desk. */
export const deskData: readonly PersonalData[] = [
  atOnce('deskViews', [deskViews], (db, userId) => {
    const { list, name, query, shared, createdAt } = deskViews
    return db
      .select({ list, name, query, shared, createdAt })
      .from(deskViews)
      .where(eq(deskViews.userId, userId))
      .orderBy(asc(list), asc(deskViews.nameKey))
  }),
  atOnce('openingViews', [openingViews], (db, userId) =>
    db
      .select({ list: openingViews.list, view: deskViews.name })
      .from(openingViews)
      .innerJoin(deskViews, eq(deskViews.id, openingViews.viewId))
      .where(eq(openingViews.userId, userId))
      .orderBy(asc(openingViews.list)),
  ),
]
