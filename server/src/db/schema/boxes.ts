import type { BoxMetrics } from '@befaqt/domain/api/box-api'
import type { SensorResult } from '@befaqt/domain/box'
import type { ProductBox } from '@befaqt/domain/catalogue'
import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { moment, searchable } from './columns.ts'

/**
 * What the records of a box add up to while it has this `head` and these `alterations`, by these formulas and in this
 * zone. `sensor`: its readings, where no result was submitted after them.
 */
export type BoxProjection = {
  formulas: number
  timeZone: string
  head: string
  alterations: number
  figures: BoxMetrics
  sensor: SensorResult | null
}

/** Products by their titles, each with the grams that are meant for it; null: none are stated. */
export type BoxOffers = Readonly<Record<string, number | null>>

/** Fish boxes and their current state. `count`, `head`, `sealed`: protocol §3; the rest is for lists and pages. */
export const boxes = pgTable(
  'boxes',
  {
    id: text().primaryKey(),
    count: integer().notNull().default(0),
    head: text().notNull(),
    sealed: boolean().notNull().default(false),
    /** The recall in force, of those in `recalls`; null: it is not recalled. */
    recallId: text(),
    /** Since when, why and by whom (actor id) it is off sale; null: it is not. Recalling it is another state. */
    offSaleAt: timestamp({ withTimezone: true }),
    offSaleReason: text(),
    offSaleBy: text(),
    /** Records may have been lost with a restored backup: it does not grow in anchors until an operator decides. */
    heldBack: boolean().notNull().default(false),
    /** SHA-256 of the canonical whole Box as imported: importing the same Box again adds nothing. */
    importHash: text(),
    species: text().notNull().default(''),
    /** Name of who registered it, for lists of managers. */
    trader: text().notNull().default(''),
    /** Stage by the newest position. Whether it is sealed is in `sealed`. */
    stage: text({ enum: ['registered', 'at sea', 'on the road', 'at market'] })
      .notNull()
      .default('registered'),
    /** Alerts that follow from the readings alone. */
    alerts: jsonb().$type<{ kind: string; at?: string; words: string }[]>().notNull().default([]),
    /** Without a reading until then the sensor counts as silent: an alert while the box is in transit. */
    silentAfter: timestamp({ withTimezone: true }),
    caughtAt: timestamp({ withTimezone: true }),
    sample: boolean().notNull().default(false),
    /** The supplier who recorded it in the field; null: somebody else did. */
    supplierId: text().references(() => users.id, { onDelete: 'set null' }),
    /** Who holds it, by the last accepted hand-over; null: whoever registered it. */
    holder: text(),
    /** Freshness and origin for product cards, computed once after every record. */
    summary: jsonb().$type<Omit<ProductBox, 'boxID'> | null>(),
    /** Figures for pages, computed once after every record; null where that was not done yet. */
    projection: jsonb().$type<BoxProjection | null>(),
    /** Grams that are left by its records of weights, sales and losses; null: it was never weighed. */
    gramsLeft: integer(),
    /** What its newest records of offers say is on sale from it. */
    offers: jsonb().$type<BoxOffers>().notNull().default({}),
    /** How often its records were changed or deleted in their place, which is nothing that we do: triggers count it. */
    alterations: integer().notNull().default(0),
    /** Its number among all boxes of this shop, which its SSCC is made of. */
    labelNumber: integer().notNull().generatedAlwaysAsIdentity(),
    createdAt: moment(),
    updatedAt: moment(),
  },
  (t) => [
    index().on(t.createdAt, t.id),
    index().on(t.updatedAt, t.id),
    index().on(t.supplierId),
    index().on(t.holder),
    index().on(t.caughtAt, t.id),
    uniqueIndex().on(t.labelNumber),
    index('boxes_stopped_index').on(t.id).where(sql`${t.recallId} is not null or ${t.offSaleAt} is not null`),
    // What is looked for among all boxes, for what needs attention.
    index('boxes_held_back').on(t.id).where(sql`${t.heldBack}`),
    index('boxes_alerted').on(t.id).where(sql`not ${t.sealed} and ${t.alerts} <> '[]'::jsonb`),
    // A box is in one of these two: the few of a stage, in the order of the list, and those that don't change any more.
    index('boxes_of_stage').on(t.stage, t.updatedAt, t.id).where(sql`not ${t.sealed}`),
    index('boxes_sealed').on(t.updatedAt, t.id).where(sql`${t.sealed}`),
    index('boxes_falling_silent')
      .on(t.silentAfter)
      .where(sql`not sealed and stage in ('at sea', 'on the road')`),
  ],
)

/**
 * The names by which boxes are found. Triggers write a row with each box, when these change alone: the indexes of a search
 * are not kept up by readings, which write the box.
 */
export const boxSearch = pgTable(
  'box_search',
  {
    boxId: text()
      .primaryKey()
      .references(() => boxes.id, { onDelete: 'cascade' }),
    species: text().notNull(),
    traderName: text().notNull(),
    names: searchable('box_id', 'species'),
    trader: searchable('trader_name'),
  },
  (t) => [
    index().on(t.names),
    index().on(t.trader),
    index('box_search_names_trigrams_index').using('gin', sql`trigrams(${t.names})`),
    index('box_search_trader_trigrams_index').using('gin', sql`trigrams(${t.trader})`),
  ],
)

/** Records of protocol §1, never changed. `body` is the canonical JSON that was hashed; null when withheld. */
export const records = pgTable(
  'records',
  {
    boxId: text()
      .notNull()
      .references(() => boxes.id),
    seq: integer().notNull(),
    kind: text().notNull(),
    body: text(),
    /** Restricted part of protocol §2 as canonical JSON; shown to inspectors only. */
    restricted: text(),
    recordHash: text().notNull(),
    /** Idempotency key of a submission (client's id, or box, device and time). */
    dedupeKey: text(),
    recordedAt: moment(),
  },
  (t) => [
    primaryKey({ columns: [t.boxId, t.seq] }),
    uniqueIndex().on(t.boxId, t.dedupeKey),
    // Most records are of these kinds, which name no file.
    index('records_by_file')
      .using('gin', sql`file_names(${t.body})`)
      .where(sql`kind not in ('tracking', 'freshness')`),
  ],
)
