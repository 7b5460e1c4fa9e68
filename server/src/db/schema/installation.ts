import { pgTable, text } from 'drizzle-orm/pg-core'

/** What this database knows of the shop that it belongs to, by name. */
export const installation = pgTable('installation', {
  name: text().primaryKey(),
  value: text().notNull(),
})
