import type { FieldClaim } from '@befaqt/domain/api/field-api'
import { DAY_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import type { ClaimDecision } from '@befaqt/domain/supplier'
import { and, desc, eq, gt, inArray, isNotNull, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import {
  addHandoverIn,
  custodyOf,
  holderIn,
  isHolder,
  lockBox,
  type RecordingDeps,
} from '#server/boxes/index.ts'
import { changeCatalogue } from '#server/catalogue/index.ts'
import type { Db } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { fieldEntries, type StoredCatch } from '#server/db/schema/suppliers.ts'
import type { Principal } from '#server/identity/principal.ts'
import { claimStateOf, takeUpClaims } from './claims.ts'
import type { SupplierRow } from './suppliers.ts'
import { decideCatch } from './waiting-catches.ts'

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

function caughtView({ catch: data, fisher, doubt, grams }: StoredCatch): FieldClaim['caught'] {
  const { boat, time, species, size, method, note, img } = data
  return {
    by: fisher.traderName,
    boat,
    time,
    species,
    size: String(size),
    grams: grams ?? null,
    method,
    note,
    img,
    doubt,
  }
}

/** The place of the hand-over's or the catch's record; null for one that was refused. */
export const Decided = z.strictObject({ seq: z.int().nullable() })

/**
 * Confirms a hand-over that its receiver alone said: it is recorded, from whoever holds the box, and the readings that
 * waited with it. Or refuses it: what waited is left out. A catch that waits is a manager's to decide alone.
 * @param supplier who decides; null: a manager
 * @throws ShopError `not_found`, also for one that is not this supplier's to decide; `conflict` when it no longer waits;
 * `box.sealed`; `input.invalid` for a catch that is refused without a reason
 */
export async function decideClaim(
  deps: RecordingDeps,
  principal: Principal,
  id: string,
  decision: ClaimDecision,
  supplier: SupplierRow | null,
): Promise<z.infer<typeof Decided>> {
  const { seq } = await changeCatalogue(
    deps,
    async (tx) => {
      const isClaim = and(eq(fieldEntries.id, id), eq(fieldEntries.claim, id))
      const [found] = await tx.select().from(fieldEntries).where(isClaim)
      if (found === undefined || (found.kind === 'catch' && supplier !== null)) throw noSuchClaim()
      if (found.kind === 'catch') {
        const [row] = await tx.select().from(fieldEntries).where(isClaim).for('update')
        if (row === undefined || row.kept === null || !('catch' in row.kept)) throw isDecided()
        return decideCatch(tx, deps, principal, { row, kept: row.kept, ...decision })
      }
      const box = await lockBox(tx, found.boxId)
      const custody = await custodyOf(tx, box, deps.siteFile.market.timeZone)
      if (supplier !== null && !isHolder(custody, box, supplier)) throw noSuchClaim()
      const [claim] = await tx.select().from(fieldEntries).where(isClaim)
      if (claim === undefined) throw noSuchClaim()
      const { kept } = claim
      if (claimStateOf(claim, deps.now()) !== 'waiting' || kept === null || !('to' in kept)) throw isDecided()
      if (decision.confirmed)
        return addHandoverIn(tx, { ...deps, takeUpClaims }, principal, box.id, {
          ...kept,
          from: holderIn(custody),
        })
      await tx
        .update(fieldEntries)
        .set({ kept: null, waitsUntil: deps.now() })
        .where(and(eq(fieldEntries.claim, id), isNotNull(fieldEntries.kept)))
      await writeAuditEntry(tx, principal, 'box', box.id, { before: { claim: kept }, after: {} })
      return { seq: null, onCards: false }
    },
    ({ onCards }) => onCards,
  )
  return { seq }
}

const isDecided = (): ShopError =>
  new ShopError('conflict', 'This was decided already, or nobody decided in time.')

const noSuchClaim = (): ShopError =>
  new ShopError('not_found', 'Nothing of this kind waits for your confirmation.')
