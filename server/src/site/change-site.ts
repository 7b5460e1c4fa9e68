import { isDeepStrictEqual } from 'node:util'
import type { Paged } from '@befaqt/domain/api/box-api'
import { ShopError } from '@befaqt/domain/errors'
import {
  SiteInput,
  type SitePart,
  type SitePartRow,
  type SiteValue,
  type SiteVersion,
  siteKey,
} from '@befaqt/domain/site-settings'
import { and, count, desc, eq, sql } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { actorNames } from '#server/audit/history.ts'
import { type Db, ONE_MOMENT, type Tx } from '#server/db/client.ts'
import { appendEvent, eventKinds } from '#server/db/events.ts'
import { siteVersions } from '#server/db/schema/site.ts'
import { timeText } from '#server/db/stored-values.ts'
import { parse } from '#server/http/errors.ts'
import { fieldError } from '#server/http/field-error.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { hasBoxPage, type SiteSettings, wholeEmail } from './settings.ts'

/** What changes of the site take. */
export type SiteWriter = { db: Db; site: SiteSettings }
type Row = typeof siteVersions.$inferSelect

/** Versions of one page of a history: a text is long. */
const PAGE = 10
/** So its pages reach ten thousand versions of one part. */
export const MAX_VERSION_PAGE = 1_000

/** All parts with who changed them last, in the order of the page. */
export const listParts = ({ db, site }: SiteWriter): Promise<SitePartRow[]> =>
  db.transaction(async (tx) => {
    const newest = sql`not exists (select from site_versions n
      where n.part = ${siteVersions.part} and n.version > ${siteVersions.version})`
    const found = await tx.select().from(siteVersions).where(newest)
    const names = await actorNames(
      tx,
      found.map(({ who }) => who),
    )
    return [...site.setup.keys()].map((key) =>
      aboutOf(
        key,
        found.find(({ part }) => part === key),
        names,
      ),
    )
  }, ONE_MOMENT)

/** A part as it is now. @throws ShopError `not_found` */
export const readPart = ({ db, site }: SiteWriter, key: string): Promise<SitePart> =>
  db.transaction((tx) => partNow(tx, site, key), ONE_MOMENT)

/** The versions of a part, the newest first, each with what was there before. @throws ShopError `not_found` */
export async function listVersions(
  { db, site }: SiteWriter,
  key: string,
  page: number,
): Promise<Paged<SiteVersion>> {
  const setup = setupValue(site, key)
  return db.transaction(async (tx) => {
    const ofPart = eq(siteVersions.part, key)
    const [all] = await tx.select({ total: count() }).from(siteVersions).where(ofPart)
    const found = await tx
      .select()
      .from(siteVersions)
      .where(ofPart)
      .orderBy(desc(siteVersions.version))
      .limit(PAGE + 1)
      .offset((page - 1) * PAGE)
    const names = await actorNames(
      tx,
      found.map(({ who }) => who),
    )
    const rows = found.slice(0, PAGE).map((row, i): SiteVersion => {
      const before = found[i + 1]
      const isFirst = row.version === 1
      return {
        ...aboutOf(key, row, names),
        restored: row.restored,
        before: isFirst ? setup : before === undefined ? null : wholeEmail(before.value ?? setup),
        after: wholeEmail(row.value ?? setup),
      }
    })
    return { rows, page, size: PAGE, total: all?.total ?? 0 }
  }, ONE_MOMENT)
}

type Change = { value: SiteValue | null; restored: number | null }

/**
 * Makes a new version of a part.
 * @param version the one that it was made from; undefined: whichever there is
 * @throws ShopError `not_found`, `version.stale` with the part as it is
 */
export const savePart = (
  deps: SiteWriter,
  principal: Principal,
  said: SiteValue,
  version: number | undefined,
): Promise<SitePart> =>
  changePart(deps, principal, siteKey(said), version, async (tx) => {
    await assertBoxIsThere(tx, said)
    const value = wholeEmail(said)
    // An email in the shop's own words keeps following them.
    const isOurs =
      value.part === 'email' && isDeepStrictEqual(plain(value), plain(setupValue(deps.site, siteKey(value))))
    return { value: isOurs ? null : value, restored: null }
  })

/**
 * Has a part say again what it said in a version, as a new one; 0: what the shop began with.
 * @throws ShopError `not_found`, `version.stale`, `input.invalid` for what may not be said any more
 */
export const restorePart = (
  deps: SiteWriter,
  principal: Principal,
  key: string,
  to: number,
  version: number | undefined,
): Promise<SitePart> =>
  changePart(deps, principal, key, version, async (tx) => {
    if (to === 0) return { value: null, restored: 0 }
    const [then] = await tx
      .select()
      .from(siteVersions)
      .where(and(eq(siteVersions.part, key), eq(siteVersions.version, to)))
    if (then === undefined) throw new ShopError('not_found', 'This version is not kept any more.')
    const value = then.value && wholeEmail(parse(SiteInput, then.value))
    if (value !== null) await assertBoxIsThere(tx, value)
    return { value, restored: to }
  })

async function assertBoxIsThere(tx: Tx, value: SiteValue): Promise<void> {
  if (value.part !== 'sample-box') return
  if (!(await hasBoxPage(tx, value.box))) throw fieldError('box', 'There is no box with this number.')
}

async function changePart(
  { db, site }: SiteWriter,
  principal: Principal,
  key: string,
  version: number | undefined,
  changeOf: (tx: Tx) => Promise<Change>,
): Promise<SitePart> {
  try {
    return await db.transaction(async (tx) => {
      const before = await partNow(tx, site, key)
      checkVersion(version, before)
      const { value, restored } = await changeOf(tx)
      const isSame = isDeepStrictEqual(plain(value ?? setupValue(site, key)), plain(before.value))
      if (isSame && (value !== null || before.isSetup)) return before
      const row = { part: key, version: before.version + 1, value, restored, who: actorId(principal) }
      const [made] = await tx.insert(siteVersions).values(row).onConflictDoNothing().returning()
      const after = await partNow(tx, site, key)
      // Somebody else was first, between the reading and the insertion, which waited for them.
      if (made === undefined) checkVersion(before.version, after)
      await writeAuditEntry(tx, principal, 'site', key, { before: before.value, after: after.value })
      await appendEvent(tx, eventKinds.siteChanged, [key])
      return after
    })
  } finally {
    await site.clear() // what is ordered or sent next goes by it
  }
}

/** Without what is undefined, as it is stored. */
const plain = (value: SiteValue): unknown => JSON.parse(JSON.stringify(value))

async function partNow(tx: Tx, site: SiteSettings, key: string): Promise<SitePart> {
  const setup = setupValue(site, key)
  const [row] = await tx
    .select()
    .from(siteVersions)
    .where(eq(siteVersions.part, key))
    .orderBy(desc(siteVersions.version))
    .limit(1)
  const names = await actorNames(tx, row === undefined ? [] : [row.who])
  return { ...aboutOf(key, row, names), value: wholeEmail(row?.value ?? setup) }
}

function setupValue(site: SiteSettings, key: string): SiteValue {
  const setup = site.setup.get(key)
  if (setup === undefined) throw new ShopError('not_found', 'There is no such part of the site.')
  return setup
}

const aboutOf = (key: string, row: Row | undefined, names: ReadonlyMap<string, string>): SitePartRow => ({
  key,
  version: row?.version ?? 0,
  isSetup: row?.value == null,
  who: row === undefined ? null : (names.get(row.who) ?? row.who),
  at: row === undefined ? null : timeText(row.at),
})
