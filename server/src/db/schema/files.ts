import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'

/**
 * Stored files. `path` is the SHA-256 of the content and its extension: the same image is stored once. `objectKey` is
 * its key in the file store.
 */
export const files = pgTable('files', {
  path: text().primaryKey(),
  mediaType: text().notNull(),
  bytes: bigint({ mode: 'number' }).notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  objectKey: text().notNull().unique(),
  createdAt: moment(),
})

/** Narrower variants of an image in newer formats, made by a job. */
export const fileVariants = pgTable(
  'file_variants',
  {
    path: text()
      .notNull()
      .references(() => files.path, { onDelete: 'cascade' }),
    width: integer().notNull(),
    format: text({ enum: ['avif', 'webp'] }).notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    objectKey: text().notNull().unique(),
  },
  (t) => [primaryKey({ columns: [t.path, t.width, t.format] })],
)

/**
 * Keys of objects that are being stored and that no row refers to yet. Deleting the key decides: the row that refers to
 * the object claims it, or it is removed (docs/decisions/0021-objects-outside-transactions.md).
 */
export const pendingObjects = pgTable('pending_objects', {
  key: text().primaryKey(),
  createdAt: moment(),
})
