import type { BoxRecord } from '@befaqt/provenance'
import { type Market, writeSummary } from '#server/boxes/summary/write-summary.ts'
import { readWholeBox } from '#server/boxes/whole-box.ts'
import { affectsCatalogue } from '#server/catalogue/box-cards.ts'
import type { CatalogueTx, CatalogueWriter } from '#server/catalogue/change-catalogue.ts'
import { appendRecords, type RecordDraft } from './append-records.ts'
import { freshnessDraft } from './freshness-draft.ts'

/** What actions that add records take. */
export type RecordingDeps = CatalogueWriter & { now: () => Date; siteFile: { market: Market } }

/** A fact to add, and whether it changes what freshness is computed from: a reading, a result, or its correction. */
export type NewRecord = RecordDraft & { changesFreshness: boolean }

/**
 * Adds records to a box, in the caller's transaction: the records, a freshness record after a new reading or
 * result, and what lists and cards show.
 * @returns the records as appended, the freshness record not among them; `onCards`: a card shows something else now
 * @throws ShopError `box.not_found`, `box.sealed`
 */
export async function addRecords(
  tx: CatalogueTx,
  { now, siteFile }: Pick<RecordingDeps, 'now' | 'siteFile'>,
  boxID: string,
  added: readonly NewRecord[],
): Promise<{ appended: BoxRecord[]; onCards: boolean }> {
  const drafts = added.map(({ changesFreshness: _, ...draft }) => draft)
  const appended = await appendRecords(tx, boxID, drafts)
  if (added.some(({ changesFreshness }) => changesFreshness)) {
    const { timeZone } = siteFile.market
    const freshness = freshnessDraft((await readWholeBox(tx, boxID, timeZone)).box, now(), timeZone)
    if (freshness !== null) await appendRecords(tx, boxID, [freshness])
  }
  const changed = await writeSummary(tx, boxID, siteFile.market)
  return { appended, onCards: changed && (await affectsCatalogue(tx, [boxID])) }
}
