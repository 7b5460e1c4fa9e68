import type { CatchDoubt } from '@befaqt/domain/api/field-api'
import { isProposedNumber } from '@befaqt/domain/box-numbers'
import { ShopError } from '@befaqt/domain/errors'
import { type EntryTimes, type FieldCatch, MAX_CATCH_AGE_MS } from '@befaqt/domain/field-entry'
import { CatchRefusal, type ClaimDecision, type Handover, partyOf } from '@befaqt/domain/supplier'
import { and, asc, eq, isNotNull, ne } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import {
  addCatchIn,
  addHandoverIn,
  addWeightIn,
  type BoxRow,
  custodyOf,
  heldAt,
  holderIn,
  isHolder,
  lockBox,
  type RecordingDeps,
  registerBoxIn,
} from '#server/boxes/index.ts'
import type { CatalogueTx } from '#server/catalogue/index.ts'
import { lock } from '#server/db/lock.ts'
import { boxes, records } from '#server/db/schema/boxes.ts'
import { fieldEntries, type StoredCatch, type StoredReading } from '#server/db/schema/suppliers.ts'
import { enqueueUnused } from '#server/files/store-file.ts'
import { parse } from '#server/http/errors.ts'
import type { Principal } from '#server/identity/principal.ts'
import { isAllotted } from './allot-labels.ts'
import type { Recorded } from './claims.ts'
import { addKept, takeUpClaims } from './claims.ts'
import type { SupplierRow } from './suppliers.ts'

/** Catches of one supplier that may wait at a time. */
const MAX_CATCHES = 200
/** Entries that may wait with one catch. */
const MAX_WITH_CATCH = 500

type Deps = Pick<RecordingDeps, 'now' | 'siteFile'>
type EntryRow = typeof fieldEntries.$inferSelect

/**
 * Why a manager has to look at a catch before it is recorded: it is older than `MAX_CATCH_AGE_MS`, or its box is new and
 * has a number that is neither of a label of this supplier nor of the form that phones make.
 */
export async function doubtOf(
  tx: CatalogueTx,
  { now }: Deps,
  { userId }: SupplierRow,
  { boxID, isNewBox, at }: { boxID: string; isNewBox: boolean } & Pick<EntryTimes, 'at'>,
): Promise<CatchDoubt | null> {
  if (now().getTime() - at > MAX_CATCH_AGE_MS) return 'old'
  if (!isNewBox || isProposedNumber(boxID) || (await isAllotted(tx, userId, boxID))) return null
  return 'number'
}

const isWaitingCatch = and(eq(fieldEntries.kind, 'catch'), isNotNull(fieldEntries.kept))

/**
 * A box has one catch.
 * @param there the box that its supplier registered; undefined: none yet
 * @throws ShopError `conflict` when it has one, or one of this supplier waits
 */
export async function refuseSecondCatch(
  tx: CatalogueTx,
  { userId }: SupplierRow,
  boxID: string,
  there: BoxRow | undefined,
): Promise<void> {
  const isOwn = and(eq(fieldEntries.boxId, boxID), eq(fieldEntries.userId, userId))
  if ((await tx.$count(fieldEntries, and(isOwn, isWaitingCatch))) > 0)
    throw new ShopError(
      'conflict',
      `You sent a catch of box ${boxID} already: it waits for the shop. Another box needs another number.`,
    )
  const isCatch = and(eq(records.boxId, boxID), eq(records.kind, 'catch'))
  if (there !== undefined && (await tx.$count(records, isCatch)) > 0)
    throw new ShopError(
      'conflict',
      `Box ${boxID} has a catch already. Another box needs another number; what is wrong in this one the shop can correct.`,
    )
}

/** Keeps a catch whole for a manager. @throws ShopError `conflict` when too many of this supplier's wait already */
export async function keepCatch(
  tx: CatalogueTx,
  { userId }: SupplierRow,
  { id, box: boxID }: FieldCatch,
  kept: StoredCatch,
): Promise<Recorded> {
  if ((await tx.$count(fieldEntries, and(eq(fieldEntries.userId, userId), isWaitingCatch))) >= MAX_CATCHES)
    throw new ShopError(
      'conflict',
      `${MAX_CATCHES} of your catches wait for the shop already: ask it to look at them, then send box ${boxID} again.`,
    )
  return { seq: null, onCards: false, waits: { claim: id, until: null, kept } }
}

/**
 * Keeps what a supplier sends of a box whose catch waits, with that catch. Undefined where none does: the entry is
 * recorded like any other, or there is no such box.
 * @throws ShopError `conflict` when too many wait with it
 */
export async function keepWithCatch(
  tx: CatalogueTx,
  { userId }: SupplierRow,
  boxID: string,
  kept: Handover | StoredReading,
): Promise<Recorded | undefined> {
  if ((await tx.$count(boxes, eq(boxes.id, boxID))) > 0) return undefined
  const [waiting] = await tx
    .select({ id: fieldEntries.id })
    .from(fieldEntries)
    .where(and(eq(fieldEntries.boxId, boxID), eq(fieldEntries.userId, userId), isWaitingCatch))
    .for('update')
  if (waiting === undefined) return undefined
  if ((await tx.$count(fieldEntries, eq(fieldEntries.claim, waiting.id))) > MAX_WITH_CATCH)
    throw new ShopError('conflict', `${MAX_WITH_CATCH} entries of box ${boxID} wait for the shop already.`)
  return { seq: null, onCards: false, waits: { claim: waiting.id, until: null, kept } }
}

/**
 * Records a catch that waited, for its supplier, and what waits with it; or leaves it out, with a reason that the supplier
 * is told. The caller has locked its row.
 * @throws ShopError `conflict` when the box became somebody else's meanwhile, or has a catch; `input.invalid` without a
 * reason
 */
export async function decideCatch(
  tx: CatalogueTx,
  deps: Deps,
  principal: Principal,
  { row, kept, confirmed, ...refusal }: { row: EntryRow; kept: StoredCatch } & ClaimDecision,
): Promise<{ seq: number | null; onCards: boolean }> {
  const { id, boxId: boxID, userId, at } = row
  if (!confirmed) {
    const { reason } = parse(CatchRefusal, { reason: '', ...refusal })
    await tx
      .update(fieldEntries)
      .set({ kept: null, refusedFor: reason })
      .where(and(eq(fieldEntries.claim, id), isNotNull(fieldEntries.kept)))
    await writeAuditEntry(tx, principal, 'box', boxID, { before: { claim: kept }, after: { reason } })
    if (kept.catch.img !== '') await enqueueUnused(tx, [kept.catch.img])
    return { seq: null, onCards: false }
  }
  const there = (await lock(tx).boxes([boxID]))[0].get(boxID)
  if (there !== undefined && (userId === null || there.supplierId !== userId))
    throw new ShopError(
      'conflict',
      `Box ${boxID} was registered by somebody else meanwhile. Refuse this catch, and ask for another number.`,
    )
  if (there === undefined)
    await registerBoxIn(tx, deps, principal, { boxID, fisher: kept.fisher }, { at, supplierId: userId })
  let { seq, onCards } = await addCatchIn(tx, deps, principal, boxID, kept.catch)
  if (kept.grams !== undefined) {
    const weight = { of: 'catch' as const, grams: kept.grams, at: kept.catch.time }
    const weighed = await addWeightIn(tx, deps, principal, boxID, weight)
    onCards ||= weighed.onCards
  }
  await tx.update(fieldEntries).set({ seq, kept: null }).where(eq(fieldEntries.id, id))
  const others = await tx
    .select()
    .from(fieldEntries)
    .where(and(eq(fieldEntries.claim, id), ne(fieldEntries.id, id)))
    .orderBy(asc(fieldEntries.at), asc(fieldEntries.receivedAt), asc(fieldEntries.id))
  const who = { userId: userId ?? '', party: partyOf(kept.fisher) }
  for (const other of others) {
    const added = await addWithCatch(tx, deps, principal, boxID, who, other.kept)
    onCards ||= added.onCards
    await tx.update(fieldEntries).set({ seq: added.seq, kept: null }).where(eq(fieldEntries.id, other.id))
  }
  return { seq, onCards }
}

/** Records what waited with a catch, if its supplier held the box at that time; `seq` is null otherwise. */
async function addWithCatch(
  tx: CatalogueTx,
  deps: Deps,
  principal: Principal,
  boxID: string,
  who: { userId: string; party: string },
  kept: EntryRow['kept'],
): Promise<{ seq: number | null; onCards: boolean }> {
  const nothing = { seq: null, onCards: false }
  const { timeZone } = deps.siteFile.market
  const box = await lockBox(tx, boxID)
  const custody = await custodyOf(tx, box, timeZone)
  if (kept === null || 'catch' in kept) return nothing
  if ('to' in kept)
    return isHolder(custody, box, who)
      ? addHandoverIn(tx, { ...deps, takeUpClaims }, principal, boxID, { ...kept, from: holderIn(custody) })
      : nothing
  return heldAt(custody, box, who, kept.time, timeZone) ? addKept(tx, deps, kept) : nothing
}
