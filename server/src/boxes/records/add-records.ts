import type { BoxRecord } from '@befaqt/provenance'
import { eq } from 'drizzle-orm'
import { lockBox } from '#server/boxes/lock-box.ts'
import { loadState } from '#server/boxes/projection/load-state.ts'
import { storedProjection } from '#server/boxes/projection/projection.ts'
import { writeProjection } from '#server/boxes/projection/write-projection.ts'
import type { Market } from '#server/boxes/summary/box-summary.ts'
import { affectsCatalogue } from '#server/catalogue/box-cards.ts'
import type { CatalogueTx, CatalogueWriter } from '#server/catalogue/change-catalogue.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { appendRecords, type RecordDraft } from './append-records.ts'
import { freshnessDraft } from './freshness-draft.ts'
import type { BoxRow } from './read-records.ts'

/** What actions that add records take. */
export type RecordingDeps = CatalogueWriter & { now: () => Date; siteFile: { market: Market } }

/** A fact to add, and whether it changes what freshness is computed from: a reading, a result, or its correction. */
export type NewRecord = RecordDraft & { changesFreshness: boolean }

/** Does a record leave all figures as they are? A hand-over does, in which nobody measured. */
const saysNothingOfFish = ({ kind, data }: NewRecord): boolean =>
  ['seal', 'sale', 'loss', 'recall'].includes(kind) || (kind === 'handover' && data.temperature === null)

/**
 * Adds records to a box, in the caller's transaction: the records, a freshness record after a new reading or
 * result, and what lists, cards and pages show.
 * @returns the records as appended, the freshness record not among them; `onCards`: a card shows something else now
 * @throws ShopError `box.not_found`, `box.sealed`
 */
export async function addRecords(
  tx: CatalogueTx,
  { now, siteFile: { market } }: Pick<RecordingDeps, 'now' | 'siteFile'>,
  boxID: string,
  added: readonly NewRecord[],
): Promise<{ appended: BoxRecord[]; onCards: boolean }> {
  const before = await lockBox(tx, boxID)
  const drafts = added.map(({ changesFreshness: _, ...draft }) => draft)
  const appended = await appendRecords(tx, boxID, drafts)
  if (added.every(saysNothingOfFish) && (await carryOver(tx, before, market)))
    return { appended, onCards: false }
  const state = await loadState(tx, await lockBox(tx, boxID), market)
  if (added.some(({ changesFreshness }) => changesFreshness)) {
    const freshness = freshnessDraft(now(), market.timeZone, (time) => state.assess(time))
    if (freshness !== null) {
      await appendRecords(tx, boxID, [freshness])
      state.addFreshness(freshness.data)
    }
  }
  const changed = await writeProjection(tx, await lockBox(tx, boxID), state)
  return { appended, onCards: changed && (await affectsCatalogue(tx, [boxID])) }
}

/**
 * Carries over the projection of a box whose new records don't concern the fish. False when there was none for its
 * head.
 */
async function carryOver(tx: CatalogueTx, before: BoxRow, market: Market): Promise<boolean> {
  const projection = storedProjection(before, market)
  if (projection === undefined) return false
  const { head } = await lockBox(tx, before.id)
  await tx
    .update(boxes)
    .set({ projection: { ...projection, head } })
    .where(eq(boxes.id, before.id))
  return true
}
