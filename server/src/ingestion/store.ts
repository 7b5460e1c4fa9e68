import { and, eq, inArray, sql } from 'drizzle-orm'
import type { BoxHead } from '#server/boxes/projection/load-state.ts'
import type { Chain } from '#server/boxes/records/append-records.ts'
import { type BoxRow, rowVersion } from '#server/boxes/records/read-records.ts'
import type { CatalogueTx } from '#server/catalogue/change-catalogue.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { changeWithEvent, eventKinds } from '#server/db/events.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import type { BoxUpdate } from './append-readings.ts'

/** What is read of a box before it is locked. `version` and `projection`: as in projection.ts. */
export type UnlockedBox = BoxHead & Pick<BoxRow, 'projection'> & { version: string }

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
    sql`select r.box_id as box, r.dedupe_key as key
        from json_to_recordset(${JSON.stringify(asked)}::json) as asked(box text, key text)
        join records r on r.box_id = asked.box and r.dedupe_key = asked.key`,
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
