import type { Handover } from '@befaqt/domain/supplier'
import { isSameParty } from '@befaqt/domain/supplier'
import { and, asc, eq, gt, isNotNull } from 'drizzle-orm'
import { lockBox } from '#server/boxes/box-access.ts'
import { addRecords, type RecordingDeps } from '#server/boxes/records/add-records.ts'
import type { CatalogueTx } from '#server/catalogue/change-catalogue.ts'
import { fieldEntries, type StoredReading } from '#server/db/schema/suppliers.ts'
import { DeviceCounters } from '#server/ingestion/device-counters.ts'
import { recordedKeys, trackingDraft } from '#server/ingestion/grow-boxes.ts'

type Deps = Pick<RecordingDeps, 'now' | 'siteFile'>

/** Entries that wait for a claim on this box which may still be confirmed. The caller has locked the box. */
export const waitingOf = (tx: CatalogueTx, boxID: string, now: Date) =>
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
  const counters = await DeviceCounters.lock(tx, [kept], new Map([[kept.box, box]]), timeZone)
  const { signed: _, statement: _statement, ...typed } = kept
  const reading = counters.rejectionOf(kept) === undefined ? kept : typed
  const draft = trackingDraft(reading, timeZone)
  const known = await recordedKeys(tx, [{ box: kept.box, key: draft.dedupeKey }])
  if (known.size > 0) return { seq: null, onCards: false }
  const { appended, onCards } = await addRecords(tx, deps, kept.box, [{ ...draft, changesFreshness: true }])
  counters.add(reading)
  await counters.save(tx, deps.now(), timeZone)
  return { seq: appended[0]?.seq ?? 0, onCards }
}
