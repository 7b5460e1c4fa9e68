import type { ClaimState } from '@befaqt/domain/api/field-api'
import { ShopError } from '@befaqt/domain/errors'
import { instantOf } from '@befaqt/domain/market-time'
import { CLAIM_MS, type Handover, isSameParty } from '@befaqt/domain/supplier'
import { and, asc, eq, gt, isNotNull } from 'drizzle-orm'
import {
  addHandoverIn,
  addRecords,
  type BoxRow,
  boxSealed,
  type Custody,
  custodyOf,
  holderIn,
  isHolder,
  lastOf,
  lockBox,
  type RecordingDeps,
} from '#server/boxes/index.ts'
import type { CatalogueTx } from '#server/catalogue/index.ts'
import { fieldEntries, type StoredReading } from '#server/db/schema/suppliers.ts'
import type { Principal } from '#server/identity/principal.ts'
import { DeviceCounters, recordedKeys, trackingDraft } from '#server/ingestion/index.ts'
import type { SupplierRow } from './suppliers.ts'

/** Claims of one supplier that may wait at a time. */
const MAX_CLAIMS = 50
/** Readings that may wait with one claim. */
const MAX_KEPT = 500

type Deps = Pick<RecordingDeps, 'now' | 'siteFile'>

/** What an entry became: a record at `seq`, or something that waits for a claim, or for a manager. */
export type Recorded = {
  seq: number | null
  onCards: boolean
  waits?: { claim: string; until: Date | null; kept: NonNullable<typeof fieldEntries.$inferSelect.kept> }
}

/** A hand-over that one of its sides says. */
type Said = { entryId: string; boxID: string; data: Handover; principal: Principal; supplier: SupplierRow }

/**
 * A hand-over said by who holds the box is recorded; said by its receiver alone it is a claim, which waits and gives no
 * right. What the receiver of a recorded one says within `CLAIM_MS` is the same hand-over.
 * @throws ShopError `auth.forbidden` for neither side, `conflict`, `box.not_found`, `box.sealed`; none of them says who
 * holds the box
 */
export async function recordHandover(tx: CatalogueTx, deps: Deps, said: Said): Promise<Recorded> {
  const { boxID, data, principal, supplier } = said
  const isGiver = isSameParty(data.from, supplier.party)
  if (!isGiver && !isSameParty(data.to, supplier.party))
    throw new ShopError(
      'auth.forbidden',
      'You are neither side of this hand-over: the box is somebody else’s.',
    )
  const box = await lockBox(tx, boxID)
  const custody = await custodyOf(tx, box, deps.siteFile.market.timeZone)
  const holds = isHolder(custody, box, supplier)
  if (isGiver && !holds)
    throw new ShopError(
      'conflict',
      `The shop does not know box ${boxID} to be with you: only who holds it can hand it over.`,
    )
  if (isGiver)
    return addHandoverIn(tx, { ...deps, takeUpClaims }, principal, boxID, {
      ...data,
      from: holderIn(custody),
    })
  if (holds) return { seq: sameHandover(custody, boxID, data, deps), onCards: false }
  return claimOf(tx, deps, box, said)
}

/** The place of the hand-over that its receiver says once more. @throws ShopError `conflict` when it is another one */
function sameHandover(
  custody: Custody,
  boxID: string,
  { accepted, from, time }: Handover,
  deps: Deps,
): number {
  const { seq, since } = lastOf(custody)
  const at = instantOf(time, deps.siteFile.market.timeZone) ?? 0
  const giver = custody.at(-2)?.party
  if (accepted && giver !== undefined && isSameParty(giver, from) && Math.abs(at - since) <= CLAIM_MS)
    return seq
  throw new ShopError('conflict', `Box ${boxID} is with you already. Hand it back if that is wrong.`)
}

async function claimOf(
  tx: CatalogueTx,
  deps: Deps,
  box: BoxRow,
  { entryId, data, supplier }: Said,
): Promise<Recorded> {
  if (box.sealed) throw boxSealed()
  const now = deps.now()
  const own = await tx
    .select({ boxId: fieldEntries.boxId, kept: fieldEntries.kept })
    .from(fieldEntries)
    .where(
      and(
        eq(fieldEntries.userId, supplier.userId),
        eq(fieldEntries.kind, 'handover'),
        gt(fieldEntries.waitsUntil, now),
        isNotNull(fieldEntries.kept),
      ),
    )
  const isThere = own.some(
    ({ boxId, kept }) => boxId === box.id && kept !== null && 'to' in kept && kept.accepted === data.accepted,
  )
  if (isThere)
    throw new ShopError('conflict', `You said so of box ${box.id} already: it waits for confirmation.`)
  if (own.length >= MAX_CLAIMS)
    throw new ShopError('conflict', `${MAX_CLAIMS} of your hand-overs wait for confirmation already.`)
  const until = new Date(now.getTime() + CLAIM_MS)
  return { seq: null, onCards: false, waits: { claim: entryId, until, kept: data } }
}

/**
 * Keeps the reading of somebody who does not hold a box with their claim on it, if it is of a time after that.
 * @throws ShopError `auth.forbidden` without such a claim, `conflict` when too many wait
 */
export async function keepForClaim(
  tx: CatalogueTx,
  deps: Deps,
  box: BoxRow,
  { userId }: SupplierRow,
  reading: StoredReading,
): Promise<Recorded> {
  const { timeZone } = deps.siteFile.market
  const waiting = await waitingOf(tx, box.id, deps.now())
  const at = instantOf(reading.time, timeZone) ?? 0
  const claim = waiting.find(
    ({ kind, userId: claimant, kept }) =>
      kind === 'handover' &&
      claimant === userId &&
      kept !== null &&
      'to' in kept &&
      kept.accepted &&
      at >= (instantOf(kept.time, timeZone) ?? Number.POSITIVE_INFINITY),
  )
  if (claim === undefined || claim.waitsUntil === null)
    throw new ShopError(
      'auth.forbidden',
      `Box ${box.id} is somebody else’s: the shop does not know it to have been with you at that time.`,
    )
  const kept = waiting.filter((one) => one.kind === 'reading' && one.claim === claim.id)
  if (kept.length >= MAX_KEPT)
    throw new ShopError('conflict', `${MAX_KEPT} readings of box ${box.id} wait for confirmation already.`)
  const isThere = kept.some(
    (one) =>
      one.kept !== null &&
      'iotID' in one.kept &&
      one.kept.iotID === reading.iotID &&
      instantOf(one.kept.time, timeZone) === at,
  )
  if (isThere)
    throw new ShopError('conflict', `Box ${box.id} has a reading of ${reading.iotID} of this second already.`)
  return { seq: null, onCards: false, waits: { claim: claim.id, until: claim.waitsUntil, kept: reading } }
}

/** What became of the claim, or of the catch to look at, that an entry is or waits for; null for an entry without one. */
export function claimStateOf(
  {
    claim,
    seq,
    kept,
    waitsUntil,
  }: Pick<typeof fieldEntries.$inferSelect, 'claim' | 'seq' | 'kept' | 'waitsUntil'>,
  now: Date,
): ClaimState | null {
  if (claim === null) return null
  if (kept === null) return seq === null ? 'refused' : 'confirmed'
  return waitsUntil === null || waitsUntil > now ? 'waiting' : 'lapsed'
}

/** Entries that wait for a claim on this box which may still be confirmed. The caller has locked the box. */
const waitingOf = (tx: CatalogueTx, boxID: string, now: Date) =>
  tx
    .select()
    .from(fieldEntries)
    .where(and(eq(fieldEntries.boxId, boxID), gt(fieldEntries.waitsUntil, now), isNotNull(fieldEntries.kept)))
    .orderBy(asc(fieldEntries.receivedAt), asc(fieldEntries.id))

/**
 * A hand-over was recorded: what its receiver said of it alone before is the same one, and the readings that they sent
 * meanwhile become records.
 * @param seq of the record
 */
export async function takeUpClaims(
  tx: CatalogueTx,
  deps: Deps,
  boxID: string,
  { to, accepted }: Handover,
  seq: number,
): Promise<{ onCards: boolean }> {
  const waiting = await waitingOf(tx, boxID, deps.now())
  let onCards = false
  for (const claim of waiting) {
    if (claim.kind !== 'handover' || claim.kept === null || !('to' in claim.kept)) continue
    if (claim.kept.accepted !== accepted || !isSameParty(claim.kept.to, to)) continue
    await tx.update(fieldEntries).set({ seq, kept: null }).where(eq(fieldEntries.id, claim.id))
    for (const { id, kept, ...entry } of waiting) {
      if (entry.kind !== 'reading' || entry.claim !== claim.id || kept === null || !('iotID' in kept))
        continue
      const added = await addKept(tx, deps, kept)
      onCards ||= added.onCards
      await tx.update(fieldEntries).set({ seq: added.seq, kept: null }).where(eq(fieldEntries.id, id))
    }
  }
  return { onCards }
}

/** Records a reading that waited, unless there is one of its sensor and second; `seq` is null then. */
export async function addKept(
  tx: CatalogueTx,
  deps: Deps,
  kept: StoredReading,
): Promise<{ seq: number | null; onCards: boolean }> {
  const { timeZone } = deps.siteFile.market
  const box = await lockBox(tx, kept.box)
  const counters = await DeviceCounters.lock(tx, [kept], new Map([[kept.box, box]]), {
    now: deps.now(),
    timeZone,
  })
  const { signed: _, statement: _statement, ...typed } = kept
  const reading = counters.rejectionOf(kept) === undefined ? kept : typed
  const draft = trackingDraft(reading, timeZone)
  const known = await recordedKeys(tx, [{ box: kept.box, key: draft.dedupeKey }])
  if (known.size > 0) return { seq: null, onCards: false }
  const { appended, onCards } = await addRecords(tx, deps, kept.box, [{ ...draft, changesFreshness: true }])
  counters.add(reading)
  await counters.save(tx)
  return { seq: appended[0]?.seq ?? 0, onCards }
}
