import type { BoxRecord } from '@befaqt/provenance'
import { writeSummary } from '#server/boxes/summary/write-summary.ts'
import { readWholeBox } from '#server/boxes/whole-box.ts'
import { announceBoxes } from '#server/catalogue/announce-boxes.ts'
import type { Tx } from '#server/db/client.ts'
import type { Deps } from '#server/deps.ts'
import { appendRecords, type RecordDraft } from './append-records.ts'
import { freshnessDraft } from './freshness-draft.ts'

/** A fact to add, and whether it changes what freshness is computed from: a reading, a result, or its correction. */
export type NewRecord = RecordDraft & { changesFreshness: boolean }

/**
 * Adds records to a box, in the caller's transaction: the records, a freshness record after a new reading or
 * result, what lists and cards show, and word to other processes when a card shows something else now.
 * @returns the records as appended, the freshness record not among them; with `onCards` the caller has to call
 * `deps.catalogue.changed()` after the commit
 * @throws ShopError `box.not_found`, `box.sealed`
 */
export async function addRecords(
  tx: Tx,
  { now, siteFile }: Pick<Deps, 'now' | 'siteFile'>,
  boxID: string,
  added: readonly NewRecord[],
): Promise<{ appended: BoxRecord[]; onCards: boolean }> {
  const drafts = added.map(({ changesFreshness: _, ...draft }) => draft)
  const appended = await appendRecords(tx, boxID, drafts)
  if (added.some(({ changesFreshness }) => changesFreshness)) {
    const freshness = freshnessDraft((await readWholeBox(tx, boxID)).box, now(), siteFile.market.timeZone)
    if (freshness !== null) await appendRecords(tx, boxID, [freshness])
  }
  const changed = await writeSummary(tx, boxID, siteFile.market)
  return { appended, onCards: changed && (await announceBoxes(tx, [boxID])) }
}
