import { DAY_MS } from '@befaqt/domain/durations'
import { MAX_SITE_VERSIONS } from '@befaqt/domain/site-settings'
import { sql } from 'drizzle-orm'
import { deletes, moment, type Retention } from '#server/db/retention.ts'
import { siteVersions } from '#server/db/schema/site.ts'
import { dated } from './settings.ts'

/** What orders ask for lives longer than an invoice has to be kept, which is five years. */
const ASKED_FOR_MS = 7 * 366 * DAY_MS
const OTHERS_MS = 2 * 366 * DAY_MS

/** Versions that were replaced so long ago, and beyond so many of a part; never the one that the site shows. */
export const siteRetention: readonly Retention[] = [
  deletes(siteVersions, (now) => {
    const { part, version } = siteVersions
    const life = (ms: number) => sql`n.at < ${moment(now, ms)}`
    return sql`exists (select from site_versions n where n.part = ${part} and n.version > ${version}
      and (n.version >= ${version} + ${MAX_SITE_VERSIONS}
        or (${life(OTHERS_MS)} and ${part} not in ${[...dated]}) or ${life(ASKED_FOR_MS)}))`
  }),
]
