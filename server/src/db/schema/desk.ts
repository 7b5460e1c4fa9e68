import type { DeskList } from '@befaqt/domain/desk-views'
import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { moment, plainText } from './columns.ts'

/** Lists of the desk as somebody narrowed and sorted them. */
export const deskViews = pgTable(
  'desk_views',
  {
    id: text().primaryKey(),
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    list: text().$type<DeskList>().notNull(),
    name: text().notNull(),
    /** What names that differ in case alone have in common. */
    nameKey: plainText().notNull(),
    query: text().notNull(),
    shared: boolean().notNull(),
    version: integer().notNull().default(1),
    createdAt: moment(),
    /** Until when it was there; for a while it can be brought back. */
    deletedAt: timestamp({ withTimezone: true }),
  },
  (t) => [
    uniqueIndex('desk_views_name').on(t.userId, t.list, t.nameKey).where(sql`deleted_at is null`),
    uniqueIndex('desk_views_shared_name').on(t.list, t.nameKey).where(sql`shared and deleted_at is null`),
    index('desk_views_deleted').on(t.deletedAt).where(sql`deleted_at is not null`),
  ],
)

/** The view that a list opens with for somebody. */
export const openingViews = pgTable(
  'opening_views',
  {
    userId: text()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    list: text().$type<DeskList>().notNull(),
    viewId: text()
      .notNull()
      .references(() => deskViews.id, { onDelete: 'cascade' }),
  },
  (t) => [primaryKey({ columns: [t.userId, t.list] }), index().on(t.viewId)],
)
