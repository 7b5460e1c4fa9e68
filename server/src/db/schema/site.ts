import type { SiteValue } from '@befaqt/domain/site-settings'
import { integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from './columns.ts'

/**
 * What administrators made of the parts of the site, each version of each. The highest version is what the site says; a part
 * without one is as the shop began.
 */
export const siteVersions = pgTable(
  'site_versions',
  {
    part: text().notNull(),
    version: integer().notNull(),
    /** Null: as the shop began, whatever its files say now. */
    value: jsonb().$type<SiteValue>(),
    /** The version that was restored with it; 0: as the shop began; null: it was typed. */
    restored: integer(),
    /** Actor id. */
    who: text().notNull(),
    at: moment(),
  },
  (t) => [primaryKey({ columns: [t.part, t.version] })],
)
