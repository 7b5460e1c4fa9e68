import { changedEntities } from '@befaqt/domain/api/manage-api'
import type { Preparation } from '@befaqt/domain/preparation'
import type { Schedule } from '@befaqt/domain/schedule'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
} from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { boxes } from './boxes.ts'
import { moment, numbersPadded, plainText, quantity, searchable, searchNormalized } from './columns.ts'
import { files } from './files.ts'

/** Categories. Source: spec §3. */
export const categories = pgTable(
  'categories',
  {
    id: text().primaryKey(),
    title: text().notNull(),
    /** Title without white space in lower case: it identifies the category in URLs. */
    titleKey: text().notNull().unique(),
    icon: text().notNull().default(''),
    imagePath: text().references(() => files.path),
    imageAlt: text().notNull().default(''),
    description: text().notNull().default(''),
    shelfPos: text().notNull(),
    status: text({ enum: ['ACTIVE', 'INACTIVE', 'DISABLED'] })
      .notNull()
      .default('ACTIVE'),
    version: integer().notNull().default(1),
    createdAt: moment(),
    updatedAt: moment(),
  },
  (t) => [index().on(t.status, t.shelfPos), index().on(t.imagePath)],
)

/** Products. Source: spec §3; money in whole cents. */
export const products = pgTable(
  'products',
  {
    id: text().primaryKey(),
    title: text().notNull(),
    categoryId: text()
      .notNull()
      .references(() => categories.id),
    priceCents: integer().notNull().default(0),
    unit: text().notNull().default('kg'),
    includeGst: boolean().notNull().default(false),
    discount: integer().notNull().default(0),
    /** Units that are not sold yet, with the parts of a kilogram that were. */
    stock: quantity().notNull().default(100),
    shelfPos: text().notNull().default('1.1'),
    status: text({ enum: ['ACTIVE', 'INACTIVE', 'DISABLED'] })
      .notNull()
      .default('ACTIVE'),
    /** Countries with commas between; empty: not stated. */
    origin: text().notNull().default(''),
    allergens: text().notNull().default(''),
    /** Grams; 0: not stated. */
    pieceWeight: integer().notNull().default(0),
    /** The most units of one order; 0: the shop's own limit. */
    orderLimit: integer().notNull().default(0),
    /** By which it is bought, where it is sold by the kilogram. */
    stepGrams: integer().notNull().default(250),
    /** What it can be prepared as; empty: it is sold whole alone. */
    preparations: jsonb().$type<Preparation[]>().notNull().default([]),
    description: text().notNull().default(''),
    /** When it goes on and off sale, and when a discount starts and ends. */
    schedule: jsonb().$type<Schedule>().notNull().default({ sale: null, markdown: null }),
    /** The next moment of the schedule; null: it has none. */
    dueAt: timestamp({ withTimezone: true }),
    /** Has it been ACTIVE at any time? A trigger keeps it; an INACTIVE product that never was is a draft. */
    everActive: boolean().notNull().default(false),
    version: integer().notNull().default(1),
    createdAt: moment(),
    updatedAt: moment(),
    /** For searching, and, since the title comes first, for sorting by title. */
    search: searchable('title', 'shelf_pos'),
    shelfKey: plainText()
      .notNull()
      .generatedAlwaysAs(numbersPadded(searchNormalized(sql`shelf_pos`))),
  },
  (t) => [
    index().on(t.categoryId, t.search, t.id),
    index().on(t.status, t.categoryId),
    index().on(t.search, t.id),
    index().on(t.priceCents, t.id),
    index('products_due_index').on(t.dueAt).where(sql`${t.dueAt} is not null`),
    index('products_trigrams_index').using('gin', sql`trigrams(${t.search})`),
  ],
)

/** A product's images in order: `imagePaths` of the specification. */
export const productImages = pgTable(
  'product_images',
  {
    productId: text()
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    path: text()
      .notNull()
      .references(() => files.path),
    alt: text().notNull().default(''),
  },
  (t) => [primaryKey({ columns: [t.productId, t.position] }), index().on(t.path)],
)

/** Pictures that a file of products names by addresses, each fetched by a job. Sent again, the same is not fetched twice. */
export const linkedPictures = pgTable(
  'linked_pictures',
  {
    /** Follows from the product and the address. */
    id: text().primaryKey(),
    productId: text()
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    address: text().notNull(),
    /** The version in which a new product goes on sale with its first picture; null: its status stays. */
    sellsVersion: integer(),
    /** Who brought the file: the change is theirs. */
    who: text().notNull(),
    attempts: integer().notNull().default(0),
    doneAt: timestamp({ withTimezone: true }),
    /** Given up. */
    failedAt: timestamp({ withTimezone: true }),
    lastError: text(),
    createdAt: moment(),
  },
  (t) => [
    index().on(t.productId),
    index().on(t.createdAt),
    index('linked_pictures_open').on(t.failedAt, t.createdAt).where(sql`done_at is null`),
  ],
)

/** The boxes that a product comes from, with the quantity in each. */
export const productBoxes = pgTable(
  'product_boxes',
  {
    productId: text()
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    boxId: text()
      .notNull()
      .references(() => boxes.id),
    quantity: numeric({ mode: 'number' }).notNull().default(0),
    /** What the quantity counts in: the product's unit when it was linked. */
    unit: text().notNull(),
    createdAt: moment(),
  },
  (t) => [primaryKey({ columns: [t.productId, t.boxId] }), index().on(t.boxId)],
)

/** What versions before the outbox counted changes of the catalogue in. Dropped when none of them can run beside this one. */
export const catalogueVersion = pgTable(
  'catalogue_version',
  {
    onlyRow: boolean().primaryKey().default(true),
    version: bigint({ mode: 'number' }).notNull(),
  },
  (t) => [check('one_row', sql`${t.onlyRow}`)],
)

/** Audit log: who changed what and when. Shown to managers, never edited. */
export const changes = pgTable(
  'changes',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** User id, or 'key:' and the key's id, or 'system'. */
    who: text().notNull(),
    entity: text({
      enum: changedEntities,
    }).notNull(),
    entityId: text().notNull(),
    action: text({ enum: ['create', 'update', 'delete'] }).notNull(),
    before: jsonb().$type<Record<string, unknown> | null>(),
    after: jsonb().$type<Record<string, unknown> | null>(),
    happenedAt: moment(),
  },
  (t) => [index().on(t.entity, t.entityId, t.id), index().on(t.entity, t.id)],
)

/**
 * Who wants to be told once when a product, or what is called so, can be bought again. A row ends with its email, when it
 * is stopped, or by `endsAt`.
 */
export const stockNotices = pgTable(
  'stock_notices',
  {
    id: text().primaryKey(),
    productId: text().references(() => products.id, { onDelete: 'cascade' }),
    /** Instead of a product: the trade's own name of it. */
    species: text(),
    email: text().notNull(),
    /** Keyed hash of the address, the same for all that it waits for: the key of the link that stops them. */
    address: text().notNull(),
    /** Whose address it is, where that is known; else somebody typed it. */
    userId: text().references(() => users.id, { onDelete: 'cascade' }),
    /** Hash of the token of the link that confirms it. */
    confirmHash: text().unique(),
    confirmedAt: timestamp({ withTimezone: true }),
    endsAt: timestamp({ withTimezone: true }).notNull(),
    createdAt: moment(),
  },
  (t) => [
    unique().on(t.address, t.productId),
    unique().on(t.address, t.species),
    index().on(t.productId),
    index().on(t.species),
    index().on(t.userId),
    index().on(t.endsAt),
  ],
)
