import { pgTable, text } from 'drizzle-orm/pg-core'

/** Facts about this installation, by name. */
export const installation = pgTable('installation', {
  name: text().primaryKey(),
  value: text().notNull(),
})
