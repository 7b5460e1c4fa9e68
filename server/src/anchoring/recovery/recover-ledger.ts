import { and, eq, gte, inArray, isNull, sql } from 'drizzle-orm'
import { takeBackNodes } from '#server/anchoring/box-map/map-nodes.ts'
import { writeAuditEntries } from '#server/audit/audit-log.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { anchorLeaves, anchors, chainTransactions, ledgerGaps, ledgers } from '#server/db/schema/ledger.ts'
import { SYSTEM } from '#server/identity/principal.ts'
import { type Gap, mayLackRecords } from './find-gap.ts'

/**
 * Resumes after a restored backup that lacks anchors: stores the gap, deletes anchors whose index the ledger has given
 * to another root, and holds back every box whose newer records may be lost. Such a box does not grow in the map until
 * `releaseBoxes`, and its proof shows no newer anchor, so that it stays `incomplete`, which is true. Returns the number
 * of boxes held back.
 */
export async function recoverLedger(db: Db, { first, last, records }: Gap): Promise<number> {
  return db.transaction(async (tx) => {
    await deleteFrom(tx, first.index)
    await tx.update(ledgers).set({ fault: null })
    const [firstIndex, firstTime] = [first.index, first.time]
    const [lastIndex, lastTime] = [last.index, last.time]
    await tx.insert(ledgerGaps).values({ firstIndex, lastIndex, firstTime, lastTime, records })
    const held = await tx
      .update(boxes)
      .set({ heldBack: true })
      .where(mayLackRecords(lastTime))
      .returning({ id: boxes.id })
    await auditHeldBack(tx, held, true)
    return held.length
  })
}

/** Deletes anchors that never reached the ledger; their boxes are collected again. */
async function deleteFrom(tx: Tx, index: number): Promise<void> {
  await rows(
    tx,
    sql`insert into grown_boxes (box_id) select distinct box_id from anchor_leaves where anchor_index >= ${index}`,
  )
  await takeBackNodes(tx, index)
  await tx.delete(anchorLeaves).where(gte(anchorLeaves.anchorIndex, index))
  await tx
    .update(chainTransactions)
    .set({ state: 'dropped' })
    .where(
      and(
        eq(chainTransactions.kind, 'anchor'),
        gte(chainTransactions.anchorIndex, index),
        isNull(chainTransactions.blockNumber),
      ),
    )
  await tx.delete(anchors).where(gte(anchors.index, index))
}

/**
 * Includes boxes in anchors again, after an operator has confirmed that no records are missing. `ids` undefined: all.
 * Returns those that had been held back.
 */
export async function releaseBoxes(db: Db, ids: readonly string[] | undefined): Promise<string[]> {
  return db.transaction(async (tx) => {
    const named = ids === undefined ? undefined : inArray(boxes.id, [...ids])
    const free = await tx
      .update(boxes)
      .set({ heldBack: false })
      .where(and(boxes.heldBack, named))
      .returning({ id: boxes.id })
    await auditHeldBack(tx, free, false)
    return free.map(({ id }) => id)
  })
}

/** Ids of the boxes that are held back. */
export const heldBackBoxes = async (db: Db): Promise<string[]> =>
  (await rows<{ id: string }>(db, sql`select id from boxes where held_back order by id collate "C"`)).map(
    ({ id }) => id,
  )

const BATCH = 1_000

async function auditHeldBack(tx: Tx, of: readonly { id: string }[], heldBack: boolean): Promise<void> {
  for (let first = 0; first < of.length; first += BATCH) {
    const entries = of.slice(first, first + BATCH).map(({ id: entityId }) => ({
      entity: 'box' as const,
      entityId,
      before: { heldBack: !heldBack },
      after: { heldBack },
    }))
    await writeAuditEntries(tx, SYSTEM, entries)
  }
}
