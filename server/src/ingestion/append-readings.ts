import type { TrackingReading } from '@befaqt/domain/box'
import type { FieldReading } from '@befaqt/domain/box-input'
import { submissionKey } from '@befaqt/domain/submission-key'
import { type Chain, chainRecords, type RecordDraft } from '#server/boxes/records/append-records.ts'
import { draftOf } from '#server/boxes/records/freshness-draft.ts'
import type { BoxSummary } from '#server/boxes/summary/write-summary.ts'
import type { BoxState } from './box-state.ts'
import type { BoxHead } from './load-state.ts'

/** A box after readings were added: what is to be written of it. */
export type BoxUpdate = BoxHead & { summary: BoxSummary; rows: Chain['rows'] }

/**
 * Chains readings of one box to its history, and one freshness record after them: readings that come together are
 * assessed together. `state` is what the records up to `box.head` say and has the new ones in it afterwards; nothing
 * is written here.
 */
export function appendReadings(
  box: BoxHead,
  state: BoxState,
  added: readonly FieldReading[],
  { now, timeZone }: { now: Date; timeZone: string },
): BoxUpdate {
  const drafts = added.map((reading) => trackingDraft(reading, timeZone))
  state.addReadings(drafts.map(({ data }) => data))
  const freshness = draftOf(now, timeZone, (time) => state.assess(time))
  if (freshness !== null) state.addFreshness(freshness.data)
  const { rows, head } = chainRecords(box, freshness === null ? drafts : [...drafts, freshness])
  return { id: box.id, count: box.count + rows.length, head, summary: state.summary(), rows }
}

/** A reading as its record has it: the box is the history's, the id only tells it from others. */
function trackingDraft(reading: FieldReading, timeZone: string): RecordDraft & { data: TrackingReading } {
  const { box: _box, id: _id, ...data } = reading
  return {
    kind: 'tracking',
    at: data.time,
    by: data.iotID,
    data,
    dedupeKey: submissionKey(reading, timeZone),
  }
}
