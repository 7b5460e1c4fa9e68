import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'

/** Stored pictures. `path` is the SHA-256 of the content and its extension: the same picture is stored once. */
export const files = pgTable('files', {
  path: text().primaryKey(),
  mediaType: text().notNull(),
  bytes: bigint({ mode: 'number' }).notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  createdAt: moment(),
})

/** Narrower copies of a picture in newer formats, made by a job. */
export const fileVariants = pgTable(
  'file_variants',
  {
    path: text()
      .notNull()
      .references(() => files.path, { onDelete: 'cascade' }),
    width: integer().notNull(),
    format: text({ enum: ['avif', 'webp'] }).notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.path, t.width, t.format] })],
)
