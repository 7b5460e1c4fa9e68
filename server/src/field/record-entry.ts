import { createHash } from 'node:crypto'
import type { FieldOutcome } from '@befaqt/domain/api/field-api'
import { ShopError } from '@befaqt/domain/errors'
import {
  type EntryTimes,
  entryTimes,
  type FieldCatch,
  type FieldEntry,
  type FieldTagReading,
  secondText,
} from '@befaqt/domain/field-entry'
import { Handover, isSameParty } from '@befaqt/domain/supplier'
import { canonicalBytes } from '@befaqt/provenance'
import { eq } from 'drizzle-orm'
import {
  addCatchIn,
  addRecords,
  addWeightIn,
  custodyOf,
  heldAt,
  lockBox,
  type RecordingDeps,
  registerBoxIn,
} from '#server/boxes/index.ts'
import { type CatalogueTx, changeCatalogue } from '#server/catalogue/index.ts'
import { lockNamed } from '#server/db/advisory-locks.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { lock } from '#server/db/lock.ts'
import { fieldEntries } from '#server/db/schema/suppliers.ts'
import type { StoringFiles } from '#server/files/store-file.ts'
import { withImages } from '#server/files/store-image.ts'
import { parse } from '#server/http/errors.ts'
import { type Principal, requireUser } from '#server/identity/principal.ts'
import type { NormalizedImage } from '#server/images/image-processor.ts'
import { DeviceCounters, type IncomingReading, recordedKeys, trackingDraft } from '#server/ingestion/index.ts'
import { claimStateOf, keepForClaim, type Recorded, recordHandover } from './claims.ts'
import { signatureRefused, verifyEntry } from './phones.ts'
import { type SupplierRow, supplierOf } from './suppliers.ts'
import { doubtOf, keepCatch, keepWithCatch, refuseSecondCatch } from './waiting-catches.ts'

export type FieldDeps = RecordingDeps & StoringFiles

type EntryRow = typeof fieldEntries.$inferSelect

/** What an entry says, apart from when it was sent, with which picture and which signature. */
function fingerprintOf({ sentAt: _, ...entry }: FieldEntry): string {
  if (entry.kind === 'reading') delete entry.signed
  return createHash('sha256').update(canonicalBytes(entry)).digest('base64url')
}

/**
 * Records an entry of a supplier's phone, once for each id: as the same facts would be by the API.
 * @param pictures of a catch: none or one
 * @returns `isNew`: false for one that was recorded before
 * @throws ShopError `auth.forbidden` for an entry that somebody else made, or about another's box;
 * `idempotency.differs`, `conflict`, `box.not_found`, `box.sealed`, `input.invalid`
 */
export async function recordEntry(
  deps: FieldDeps,
  principal: Principal,
  entry: FieldEntry,
  pictures: readonly NormalizedImage[],
): Promise<{ outcome: FieldOutcome; isNew: boolean }> {
  const { userId } = requireUser(principal)
  if (entry.madeBy !== userId)
    throw new ShopError(
      'auth.forbidden',
      'Somebody else made this entry: it is sent when they are logged in.',
    )
  const fingerprint = fingerprintOf(entry)
  const before = await recordedBefore(deps.db, entry.id, fingerprint)
  if (before !== undefined) return { outcome: outcomeOf(before, deps.now()), isNew: false }
  const received = deps.now()
  const times = entryTimes(entry, received.getTime())
  const signed = entry.kind === 'reading' ? await verifyEntry(deps, userId, entry, times) : undefined
  return withImages(deps, pictures, (save) =>
    changeCatalogue(
      deps,
      async (tx) => {
        const stored = await save(tx)
        await lockNamed(tx, 'fieldEntry', entry.id)
        const meanwhile = await recordedBefore(tx, entry.id, fingerprint)
        if (meanwhile !== undefined) return { row: meanwhile, isNew: false, onCards: false }
        const supplier = await supplierOf(tx, userId)
        const call = { principal, supplier, times, signed, image: stored[0]?.path ?? '' }
        const { seq, onCards, waits } = await recordIn(tx, deps, entry, call)
        const row = {
          id: entry.id,
          userId,
          kind: entry.kind,
          fingerprint,
          boxId: entry.box,
          seq,
          at: new Date(signed?.time ?? times.at),
          deviceAt: new Date(entry.madeAt),
          receivedAt: received,
          clockOffsetS: times.clockOffset / 1000,
          late: times.isLate,
          clockWrong: times.isClockWrong,
          accuracy: entry.accuracy,
          signedBy: signed?.statement?.key ?? null,
          claim: waits?.claim ?? null,
          waitsUntil: waits?.until ?? null,
          kept: waits?.kept ?? null,
          refusedFor: null,
        }
        await tx.insert(fieldEntries).values(row)
        return { row, isNew: true, onCards }
      },
      ({ onCards }) => onCards,
      { boxes: [entry.box] },
    ),
  ).then(({ row, isNew }) => ({ outcome: outcomeOf(row, received), isNew }))
}

/** @throws ShopError `idempotency.differs` for another entry under the same id */
async function recordedBefore(db: Db | Tx, id: string, fingerprint: string): Promise<EntryRow | undefined> {
  const [found] = await db.select().from(fieldEntries).where(eq(fieldEntries.id, id))
  if (found !== undefined && found.fingerprint !== fingerprint)
    throw new ShopError('idempotency.differs', 'Another entry was sent under this id.')
  return found
}

type Call = {
  principal: Principal
  supplier: SupplierRow
  times: EntryTimes
  image: string
  /** A reading that the phone signed. */
  signed: IncomingReading | undefined
}

async function recordIn(tx: CatalogueTx, deps: FieldDeps, entry: FieldEntry, call: Call): Promise<Recorded> {
  const { principal, supplier, times } = call
  if (entry.kind === 'catch') return recordCatch(tx, deps, entry, call)
  if (entry.kind === 'reading') return recordReading(tx, deps, entry, call)
  const { from, to, temperature, accepted, reason, latitude, longitude } = entry
  const time = secondText(times.at)
  const data = parse(Handover, { time, from, to, temperature, accepted, reason, latitude, longitude })
  const kept = isSameParty(from, supplier.party) && (await keepWithCatch(tx, supplier, entry.box, data))
  if (kept) return kept
  return recordHandover(tx, deps, { entryId: entry.id, boxID: entry.box, data, principal, supplier })
}

/**
 * Registers the box, unless it was registered for this supplier before, and adds its catch, and what it weighed where
 * somebody typed that. One that a manager has to look at waits whole.
 */
async function recordCatch(
  tx: CatalogueTx,
  deps: FieldDeps,
  entry: FieldCatch,
  call: Call,
): Promise<Recorded> {
  const { principal, supplier, times, image } = call
  const { box: boxID, boat, species, size, method, note, latitude, longitude, grams } = entry
  const there = (await lock(tx).boxes([boxID]))[0].get(boxID)
  if (there !== undefined && there.supplierId !== supplier.userId)
    throw new ShopError(
      'conflict',
      `Box ${boxID} is somebody else’s. Check the number on its label: if that is it, the box needs another label.`,
    )
  await refuseSecondCatch(tx, supplier, boxID, there)
  const isNewBox = there === undefined
  const fisher = { ...supplier.fisher, boat }
  const place = { latitude, longitude, locationCodeLat: latitude, locationCodeLong: longitude }
  const data = { time: secondText(times.at), boat, ...place, method, img: image, species, size, note }
  const doubt = await doubtOf(tx, deps, supplier, { boxID, isNewBox, at: times.at })
  if (doubt !== null)
    return keepCatch(tx, supplier, entry, {
      catch: data,
      fisher,
      doubt,
      ...(grams !== undefined && { grams }),
    })
  if (isNewBox) {
    const more = { at: new Date(times.at), supplierId: supplier.userId }
    await registerBoxIn(tx, deps, principal, { boxID, fisher }, more)
  }
  const recorded = await addCatchIn(tx, deps, principal, boxID, data)
  if (grams === undefined) return recorded
  const weight = { of: 'catch' as const, grams, at: secondText(times.at) }
  const { onCards } = await addWeightIn(tx, deps, principal, boxID, weight)
  return { ...recorded, onCards: recorded.onCards || onCards }
}

/**
 * The reading of a tag in a box that the supplier held at its time: as the phone signed it, else as typed in. One of a
 * box that they claim waits with the claim.
 */
async function recordReading(
  tx: CatalogueTx,
  deps: FieldDeps,
  entry: FieldTagReading,
  call: Call,
): Promise<Recorded> {
  const { supplier, times, signed } = call
  const { box: boxID, iotID, temperature, latitude, longitude } = entry
  const { timeZone } = deps.siteFile.market
  const typed = { box: boxID, time: secondText(times.at), latitude, longitude, iotID, temperature }
  const reading = signed ?? typed
  const kept = await keepWithCatch(tx, supplier, boxID, reading)
  if (kept !== undefined) return kept
  const box = await lockBox(tx, boxID)
  const custody = await custodyOf(tx, box, timeZone)
  if (!heldAt(custody, box, supplier, reading.time, timeZone))
    return keepForClaim(tx, deps, box, supplier, reading)
  const counters = await DeviceCounters.lock(tx, [reading], new Map([[boxID, box]]), {
    now: deps.now(),
    timeZone,
  })
  const rejection = counters.rejectionOf(reading)
  if (rejection !== undefined) throw signatureRefused(rejection)
  const draft = trackingDraft(reading, timeZone)
  if ((await recordedKeys(tx, [{ box: boxID, key: draft.dedupeKey }])).size > 0)
    throw new ShopError('conflict', `Box ${boxID} has a reading of ${iotID} of this second already.`)
  const { appended, onCards } = await addRecords(tx, deps, boxID, [{ ...draft, changesFreshness: true }])
  counters.add(reading)
  await counters.save(tx)
  return { seq: appended[0]?.seq ?? 0, onCards }
}

export const outcomeOf = (row: EntryRow, now: Date): FieldOutcome => ({
  id: row.id,
  kind: row.kind,
  boxID: row.boxId,
  seq: row.seq,
  claim: claimStateOf(row, now),
  at: row.at.toISOString(),
  deviceTime: row.deviceAt.toISOString(),
  receivedAt: row.receivedAt.toISOString(),
  late: row.late,
  clockWrong: row.clockWrong,
  signed: row.signedBy !== null,
})
