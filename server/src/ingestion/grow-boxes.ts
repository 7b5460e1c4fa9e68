import type { RecordedReading } from '@befaqt/domain/box-records'
import { and, eq, inArray, sql } from 'drizzle-orm'
import {
  type BoxHead,
  type BoxRow,
  type BoxState,
  type BoxSummary,
  type Chain,
  chainRecords,
  freshnessDraft,
  projectionOf,
  type RecordDraft,
  rowVersion,
} from '#server/boxes/index.ts'
import type { CatalogueTx } from '#server/catalogue/index.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { changeWithEvent, eventKinds } from '#server/db/events.ts'
import { type BoxProjection, boxes } from '#server/db/schema/boxes.ts'
import { dedupeKeyOf, type IncomingReading } from './incoming-reading.ts'

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

/** What is read of a box before it is locked. `version` and `projection`: as in projection.ts. */
type UnlockedBox = BoxHead & Pick<BoxRow, 'projection'> & { version: string }

/** The current rows of those boxes that exist and can grow. Nothing is locked. */
export async function readHeads(db: Db, ids: readonly string[]): Promise<UnlockedBox[]> {
  if (ids.length === 0) return []
  const { id, count, head, alterations, projection } = boxes
  return db
    .select({ id, count, head, alterations, projection, version: rowVersion })
    .from(boxes)
    .where(and(inArray(id, [...ids]), eq(boxes.sealed, false)))
}

/** A submission by its box and what makes it the same again. */
export type Keyed = { box: string; key: string }

/** Which of these submissions are recorded, as `box key`: no boxID holds a space. */
export async function recordedKeys(tx: Tx, asked: readonly Keyed[]): Promise<Set<string>> {
  const found = await rows<Keyed>(
    tx,
    // A fence: joined, the view would be read from end to end.
    sql`select asked.box, asked.key
        from json_to_recordset(${JSON.stringify(asked)}::json) as asked(box text, key text)
        cross join lateral (
          select from known_records where box_id = asked.box and dedupe_key = asked.key offset 0) known`,
  )
  return new Set(found.map(keyText))
}

export const keyText = ({ box, key }: Keyed): string => `${box} ${key}`

/** Inserts records of many boxes. Sent as JSON: a third of the time that as many parameters take. */
export const insertRecords = (tx: Tx, inserted: Chain['rows']): Promise<unknown> =>
  rows(
    tx,
    sql`insert into records (box_id, seq, kind, body, record_hash, dedupe_key)
        select "boxId", seq, kind, body, "recordHash", "dedupeKey"
        from json_to_recordset(${JSON.stringify(inserted)}::json)
          as r("boxId" text, seq int, kind text, body text, "recordHash" text, "dedupeKey" text)`,
  )

/** Writes the new state of many boxes, and what lists show of them, with the event that they have grown. */
export const updateBoxes = (tx: CatalogueTx, grown: readonly BoxUpdate[]): Promise<void> => {
  const states = grown.map(({ id, count, head, summary, projection }) => ({
    id,
    count,
    head,
    ...summary,
    projection,
  }))
  return changeWithEvent(
    tx,
    eventKinds.boxGrown,
    sql`update boxes b set count = g.count, head = g.head, species = g.species, trader = g.trader, stage = g.stage,
          alerts = g.alerts, silent_after = g."silentAfter", caught_at = g."caughtAt", summary = g.summary,
          projection = g.projection, updated_at = now()
        from json_to_recordset(${JSON.stringify(states)}::json)
          as g(id text, count int, head text, species text, trader text, stage text, alerts jsonb,
            "silentAfter" timestamptz, "caughtAt" timestamptz, summary jsonb, projection jsonb)
        where b.id = g.id
        returning b.id`,
  )
}
