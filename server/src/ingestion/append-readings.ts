import type { RecordedReading } from '@befaqt/domain/recorded-reading'
import type { BoxHead, BoxState } from '#server/boxes/projection/box-state.ts'
import type { BoxSummary } from '#server/boxes/projection/box-summary.ts'
import { projectionOf } from '#server/boxes/projection/projection.ts'
import {
  type Chain,
  chainRecords,
  freshnessDraft,
  type RecordDraft,
} from '#server/boxes/records/add-records.ts'
import type { BoxProjection } from '#server/db/schema/boxes.ts'
import { dedupeKeyOf } from './dedupe-key.ts'
import type { IncomingReading } from './incoming-reading.ts'

/** A box after readings were added: what is to be written of it. */
export type BoxUpdate = BoxHead & { summary: BoxSummary; projection: BoxProjection; rows: Chain['rows'] }

/**
 * Chains readings of one box to its history, and one freshness record after them: readings that come together are
 * assessed together. `state` is what the records up to `box.head` say and has the new ones in it afterwards; nothing
 * is written here.
 */
export function appendReadings(
  box: BoxHead,
  state: BoxState,
  added: readonly IncomingReading[],
  { now, timeZone }: { now: Date; timeZone: string },
): BoxUpdate {
  const drafts = added.map((reading) => trackingDraft(reading, timeZone))
  state.addReadings(drafts.map(({ data }) => data))
  const freshness = freshnessDraft(now, timeZone, (time) => state.assess(time))
  if (freshness !== null) state.addFreshness(freshness.data)
  const { rows, head } = chainRecords(box, freshness === null ? drafts : [...drafts, freshness])
  const { id, alterations } = box
  const projection = projectionOf({ head, alterations }, state)
  const count = box.count + rows.length
  return { id, count, head, alterations, summary: state.summary(), projection, rows }
}

/** A reading as its record has it: the box is the history's, the id only distinguishes it from others. */
export function trackingDraft(
  reading: IncomingReading,
  timeZone: string,
): RecordDraft & { kind: 'tracking'; data: RecordedReading; dedupeKey: string } {
  const { box: _box, id: _id, statement: _statement, ...data } = reading
  return {
    kind: 'tracking',
    at: data.time,
    by: data.iotID,
    data,
    dedupeKey: dedupeKeyOf(reading, timeZone),
  }
}
