import type { FieldClaim } from '@befaqt/domain/api/field-api'
import { DAY_MS } from '@befaqt/domain/durations'
import { and, desc, eq, gt, inArray, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { custodyOf, isHolder } from '#server/boxes/records/hand-over.ts'
import type { Db } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { fieldEntries, type StoredCatch } from '#server/db/schema/suppliers.ts'
import { claimStateOf } from './claims.ts'
import type { SupplierRow } from './suppliers.ts'

/** Days for which a phone is told what became of a claim. */
const TOLD_DAYS = 7
/** Claims that a phone is shown of each kind: the newest. */
const MAX_SHOWN = 50

type Deps = { db: Db; now: () => Date; siteFile: { market: { timeZone: string } } }

const isWaiting = (now: Date) =>
  and(or(gt(fieldEntries.waitsUntil, now), isNull(fieldEntries.waitsUntil)), isNotNull(fieldEntries.kept))

/** Claims and catches of all suppliers that wait, newest first. @param limit at most so many */
export const waitingClaims = (db: Db, now: Date, limit: number): Promise<FieldClaim[]> =>
  claimsWhere(db, now, { where: isWaiting(now), limit, own: false })

/**
 * What a supplier's phone shows of claims: the supplier's own, and catches that a manager has to look at, with what
 * became of them, and claims of others on boxes that the supplier holds.
 */
export async function fieldClaims({ db, now, siteFile }: Deps, supplier: SupplierRow): Promise<FieldClaim[]> {
  const { userId } = supplier
  const since = new Date(now().getTime() - TOLD_DAYS * DAY_MS)
  const mine = and(eq(fieldEntries.userId, userId), or(gt(fieldEntries.receivedAt, since), isWaiting(now())))
  const own = await claimsWhere(db, now(), { where: mine, limit: MAX_SHOWN, own: true })
  const held = await db.transaction(async (tx) => {
    const near = or(eq(boxes.supplierId, userId), eq(boxes.holder, supplier.party))
    const claimed = db
      .select({ id: fieldEntries.boxId })
      .from(fieldEntries)
      .where(and(isWaiting(now()), ne(fieldEntries.userId, userId)))
    const found = await tx
      .select()
      .from(boxes)
      .where(and(near, inArray(boxes.id, claimed)))
    const isOurs = await Promise.all(
      found.map(async (box) => isHolder(await custodyOf(tx, box, siteFile.market.timeZone), box, supplier)),
    )
    return found.filter((_, i) => isOurs[i]).map(({ id }) => id)
  })
  if (held.length === 0) return own
  const where = and(isWaiting(now()), ne(fieldEntries.userId, userId), inArray(fieldEntries.boxId, held))
  return [...(await claimsWhere(db, now(), { where, limit: MAX_SHOWN, own: false })), ...own]
}

async function claimsWhere(
  db: Db,
  now: Date,
  { where, limit, own }: { where: SQL | undefined; limit: number; own: boolean },
): Promise<FieldClaim[]> {
  const entries = sql<number>`(select count(*)::int from field_entries as waiting
    where waiting.claim = ${fieldEntries}.id and waiting.id <> ${fieldEntries}.id)`
  const found = await db
    .select({ entry: fieldEntries, entries })
    .from(fieldEntries)
    .where(and(eq(fieldEntries.claim, fieldEntries.id), where))
    .orderBy(desc(fieldEntries.receivedAt), desc(fieldEntries.id))
    .limit(limit)
  return found.map(({ entry, entries }) => ({
    id: entry.id,
    kind: entry.kind === 'catch' ? 'catch' : 'handover',
    boxID: entry.boxId,
    own,
    state: claimStateOf(entry, now) ?? 'lapsed',
    said: entry.kept !== null && 'to' in entry.kept ? entry.kept : null,
    caught: entry.kept !== null && 'catch' in entry.kept ? caughtView(entry.kept) : null,
    waitsUntil: entry.waitsUntil?.toISOString() ?? null,
    entries,
    reason: entry.refusedFor ?? '',
  }))
}

function caughtView({ catch: data, fisher, doubt }: StoredCatch): FieldClaim['caught'] {
  const { boat, time, species, size, method, note, img } = data
  return { by: fisher.traderName, boat, time, species, size: String(size), method, note, img, doubt }
}
