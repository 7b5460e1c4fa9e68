import { ShopError } from '@befaqt/domain/errors'
import type { Handover } from '@befaqt/domain/supplier'
import { isSameParty } from '@befaqt/domain/supplier'
import { eq } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { lockBox } from '#server/boxes/lock-box.ts'
import { type CatalogueTx, changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { addRecords, type RecordingDeps } from './add-records.ts'
import { custodyOf, holderIn } from './custody.ts'

/** What becomes of receivers' claims and of the readings that they sent, once a hand-over is recorded. It is of suppliers. */
export type TakesUpClaims = {
  takeUpClaims: (
    tx: CatalogueTx,
    deps: Pick<RecordingDeps, 'now' | 'siteFile'>,
    boxID: string,
    data: Handover,
    seq: number,
  ) => Promise<{ onCards: boolean }>
}

/**
 * Records that a box changed hands, or was refused. Returns the place of its record in the history.
 * @throws ShopError `box.not_found`, `box.sealed`, `conflict` when somebody else than `from` holds the box
 */
export async function addHandover(
  deps: RecordingDeps & TakesUpClaims,
  principal: Principal,
  boxID: string,
  data: Handover,
): Promise<number> {
  const { seq } = await changeCatalogue(
    deps,
    (tx) => addHandoverIn(tx, deps, principal, boxID, data),
    ({ onCards }) => onCards,
    { boxes: [boxID] },
  )
  return seq
}

/** As `addHandover`, in the caller's transaction. */
export async function addHandoverIn(
  tx: CatalogueTx,
  deps: Pick<RecordingDeps, 'now' | 'siteFile'> & TakesUpClaims,
  principal: Principal,
  boxID: string,
  data: Handover,
): Promise<{ seq: number; onCards: boolean }> {
  const holder = holderIn(await custodyOf(tx, await lockBox(tx, boxID), deps.siteFile.market.timeZone))
  if (!isSameParty(holder, data.from))
    throw new ShopError('conflict', `Box ${boxID} is held by ${holder}: only they can hand it over.`, {
      details: { holder },
    })
  const fact = { kind: 'handover' as const, at: data.time, by: actorId(principal), data }
  const { appended, onCards } = await addRecords(tx, deps, boxID, [{ ...fact, changesFreshness: false }])
  const seq = appended[0]?.seq ?? 0
  if (data.accepted) await tx.update(boxes).set({ holder: data.to.trim() }).where(eq(boxes.id, boxID))
  await writeAuditEntry(tx, principal, 'box', boxID, { before: {}, after: { handover: data } })
  const taken = await deps.takeUpClaims(tx, deps, boxID, data, seq)
  return { seq, onCards: onCards || taken.onCards }
}
