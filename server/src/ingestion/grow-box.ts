import type { Box, TrackingReading } from '@befaqt/domain/box'
import type { FieldReading } from '@befaqt/domain/box-input'
import { boxWithReadings } from '@befaqt/domain/box-of-records'
import { submissionKey } from '@befaqt/domain/submission-key'
import { type Chain, chainRecords, type RecordDraft } from '#server/boxes/append-records.ts'
import { freshnessDraft } from '#server/boxes/freshness-draft.ts'
import type { BoxRow } from '#server/boxes/read-records.ts'
import { type BoxSummary, summaryOf } from '#server/boxes/write-summary.ts'
import type { SiteFile } from '#server/site/site.ts'

/** A box after readings were added: what is to be written of it, and all that its records now say. */
export type GrownBox = {
  id: string
  count: number
  head: string
  summary: BoxSummary
  rows: Chain['rows']
  box: Box
}

/**
 * Chains readings of one box to its history, and one freshness record after them: readings that come together are
 * assessed together. `before` is what the records up to `row.head` say; nothing is written here.
 */
export async function growBox(
  row: BoxRow,
  before: Box,
  added: readonly FieldReading[],
  { now, market }: { now: Date; market: SiteFile['market'] },
): Promise<GrownBox> {
  const drafts = added.map(trackingDraft)
  const read = boxWithReadings(
    before,
    drafts.map(({ data }) => data),
    null,
  )
  const freshness = freshnessDraft(read, now, market.timeZone)
  const box = freshness === null ? read : boxWithReadings(read, [], freshness.data)
  const { rows, head } = chainRecords(row, freshness === null ? drafts : [...drafts, freshness])
  return {
    id: row.id,
    count: row.count + rows.length,
    head,
    summary: await summaryOf(box, market),
    rows,
    box,
  }
}

/** A reading as its record has it: the box is the history's, the id only tells it from others. */
function trackingDraft(reading: FieldReading): RecordDraft & { data: TrackingReading } {
  const { box: _box, id: _id, ...data } = reading
  return { kind: 'tracking', at: data.time, by: data.iotID, data, dedupeKey: submissionKey(reading) }
}
