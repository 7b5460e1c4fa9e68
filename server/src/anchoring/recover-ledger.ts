import { and, desc, eq, gte, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { writeAuditEntries } from '#server/audit/audit-log.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { anchorLeaves, anchors, chainTransactions, ledgerGaps, ledgers } from '#server/db/schema/ledger.ts'
import { SYSTEM } from '#server/identity/principal.ts'
import { type AnchoringDeps, LedgerFault } from './anchoring.ts'
import { takeBackNodes } from './box-map.ts'
import type { Ledger } from './ledger.ts'

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

/** An anchor that the ledger holds but this database does not know. Time in seconds. */
type LostAnchor = { index: number; root: string; time: number; blockNumber: number | null }

/** What a restored backup lacks. */
export type Gap = {
  first: LostAnchor
  last: LostAnchor
  /** New records in the lost anchors, as the ledger counts them. */
  records: number
  /** Records in this database that no known anchor covers; some of them may be in the lost anchors. */
  pendingHere: number
  /** Boxes that were open when the backup was made: newer records of each may be lost. */
  boxes: string[]
}

/**
 * Compares this database with the ledger. Returns the anchors that the database does not know; undefined: it knows all,
 * counting unconfirmed ones that the ledger holds with the same root. Changes nothing.
 * @throws LedgerFault when the ledger is another one, or the newest lost anchor is not final yet
 */
export async function findGap(deps: AnchoringDeps, ledger: Ledger): Promise<Gap | undefined> {
  const { chain } = deps
  const held = await chain.anchorCount(ledger.contract)
  const start = await firstUnknown(deps, ledger, held)
  if (start >= held) return undefined
  const [first, last] = [await lostAnchor(deps, ledger, start), await lostAnchor(deps, ledger, held - 1)]
  const depth = (await chain.blockNumber()) - (last.blockNumber ?? 0) + 1
  if (depth < chain.confirmations)
    throw new LedgerFault(`Anchor ${last.index} is ${depth} blocks deep: try again in a minute.`)
  let records = 0
  for (let index = start; index < held; index++)
    records += (await chain.anchorOf(ledger.contract, index))?.records ?? 0
  const boxes = await openBoxes(deps, last.time)
  return { first, last, records, pendingHere: await pendingHere(deps), boxes }
}

/** The first index whose anchor this database does not know. */
async function firstUnknown({ db, chain }: AnchoringDeps, ledger: Ledger, held: number): Promise<number> {
  const [gap] = await rows<{ next: number }>(
    db,
    sql`select coalesce(max(last_index) + 1, 0) as next from ledger_gaps`,
  )
  const ours = await db.select().from(anchors).orderBy(desc(anchors.index)).limit(COMPARED_ANCHORS)
  let next = gap?.next ?? 0
  for (const anchor of ours.reverse()) {
    if (anchor.index >= held) break
    const there = await chain.anchorOf(ledger.contract, anchor.index)
    if (there?.root === anchor.root) next = Math.max(next, anchor.index + 1)
    else if (anchor.state === 'confirmed')
      throw new LedgerFault(
        `The ledger holds another root at index ${anchor.index} than this database, which says that its own is final: ` +
          'this is not the ledger that it anchored in.',
      )
  }
  return next
}

/** Newest anchors of this database that are compared one by one; older ones are final. */
const COMPARED_ANCHORS = 20

async function lostAnchor(
  { chain }: AnchoringDeps,
  { contract }: Ledger,
  index: number,
): Promise<LostAnchor> {
  const there = await chain.anchorOf(contract, index)
  if (there === undefined) throw new LedgerFault(`The ledger returns no anchor ${index}.`)
  const txHash = await chain.findAnchorTransaction(contract, index)
  const mined = txHash === undefined ? undefined : await chain.receipt(txHash)
  return { index, root: there.root, time: there.time, blockNumber: mined?.blockNumber ?? null }
}

/** Largest difference between a machine's clock and a chain's. */
const CLOCKS_APART_S = 600

/**
 * Boxes that may lack records anchored until `lastTime`, in seconds: not those registered later, and none that is
 * sealed, since a box with its seal is complete.
 */
const mayLackRecords = (lastTime: number): SQL =>
  sql`not sealed and created_at <= to_timestamp(${lastTime + CLOCKS_APART_S})`

async function openBoxes({ db }: AnchoringDeps, lastTime: number): Promise<string[]> {
  const open = await rows<{ id: string }>(
    db,
    sql`select id from boxes where ${mayLackRecords(lastTime)} order by id collate "C"`,
  )
  return open.map(({ id }) => id)
}

async function pendingHere({ db }: AnchoringDeps): Promise<number> {
  const [pending] = await rows<{ n: number }>(
    db,
    sql`select coalesce(sum(b.count - coalesce((select max(l.count) from anchor_leaves l
            join anchors a on a.index = l.anchor_index and a.state = 'confirmed' where l.box_id = b.id), 0)), 0)::int as n
          from boxes b where b.id in (select box_id from grown_boxes union select l.box_id from anchor_leaves l
            join anchors a on a.index = l.anchor_index and a.state <> 'confirmed')`,
  )
  return pending?.n ?? 0
}
