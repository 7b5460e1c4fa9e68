import { type BoxState, type MerkleTree, toHex } from '@befaqt/provenance'
import { desc, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { anchors } from '#server/db/schema/ledger.ts'
import type { Anchor } from './anchor-moves.ts'
import type { AnchoringDeps } from './anchoring-deps.ts'
import { treeOf } from './tree-of.ts'

/** A box's newest state, how far our anchors had come, and whether the one before left it out. */
type Grown = Pick<BoxState, keyof BoxState> & { anchored: number; wasOut: boolean }

/** Leaves are sent as JSON, some 3 MB at once: a third of the time that as many parameters take. */
const ROWS_PER_INSERT = 5_000

/**
 * Collects the state of every box that is not sealed, and of those sealed since the anchor before, into the next
 * anchor: leaves, tree and root, in one transaction. Answers undefined when there is nothing new: no record, no box that
 * was let in again, and no anchor of ours that this database lost. Source: protocol §4.
 * @param firstIndex index of this database's first anchor
 * @param checkLead rejects when this process no longer leads
 */
export async function collectAnchor(
  db: Db,
  now: Date,
  firstIndex: number,
  checkLead?: AnchoringDeps['checkLead'],
): Promise<Anchor | undefined> {
  return db.transaction(async (tx) => {
    await checkLead?.(tx)
    const [before] = await tx.select().from(anchors).orderBy(desc(anchors.index)).limit(1)
    const states = await boxStates(tx, before?.index ?? -1)
    const records = states.reduce((sum, box) => sum + newRecords(box), 0)
    const index = await nextIndex(tx, firstIndex)
    const followsGap = before !== undefined && index > before.index + 1
    const isDue = records > 0 || states.some((box) => box.wasOut) || (followsGap && states.length > 0)
    if (!isDue) return undefined
    const tree = await treeOf(states)
    const root = toHex(tree.root)
    const anchor = { index, root, boxes: states.length, records, state: 'collected', createdAt: now } as const
    const [row] = await tx.insert(anchors).values(anchor).returning()
    await saveLeaves(tx, index, states, tree)
    await leaveSealedOut(tx, index)
    return row
  })
}

/** Ten times what a box can hold: a row that says more is damaged. */
const MAX_NEW_RECORDS = 1_000_000

/** A box's new records. A damaged count, one that shrank or is huge, must not stop the anchors of all the others. */
const newRecords = ({ count, anchored }: Grown): number =>
  Math.min(Math.max(0, count - anchored), MAX_NEW_RECORDS)

/** The index after all that this database knows of: its own anchors, and those that it lost. */
export async function nextIndex(db: Db | Tx, firstIndex: number): Promise<number> {
  const [known] = await rows<{ next: number | null }>(
    db,
    sql`select greatest((select max(index) from anchors), (select max(last_index) from ledger_gaps)) + 1 as next`,
  )
  return known?.next ?? firstIndex
}

/** In the order of the leaves: `collate "C"` compares UTF-8 bytes. One statement, so one moment for all boxes. */
const boxStates = (tx: Tx, before: number): Promise<Grown[]> =>
  rows<Grown>(
    tx,
    sql`select b.id as box, b.count, b.head, b.sealed, l.count is null as "wasOut",
          coalesce(l.count, (select max(count) from anchor_leaves a where a.box_id = b.id), 0) as anchored
        from boxes b left join anchor_leaves l on l.anchor_index = ${before} and l.box_id = b.id
        where not b.seal_anchored and not b.held_back and b.count > 0
        order by b.id collate "C"`,
  )

/** Boxes that grew keep their path: their leaf is shown for ever, and the rest of this tree is not kept so long. */
async function saveLeaves(tx: Tx, index: number, states: readonly Grown[], tree: MerkleTree): Promise<void> {
  for (let first = 0; first < states.length; first += ROWS_PER_INSERT) {
    const leaves = states.slice(first, first + ROWS_PER_INSERT).map(({ anchored, wasOut, ...state }, i) => {
      const path =
        state.count > anchored || wasOut
          ? tree
              .path(first + i)
              .map(toHex)
              .join('')
          : null
      return { leaf: first + i, ...state, path }
    })
    await rows(
      tx,
      sql`insert into anchor_leaves (anchor_index, leaf_index, box_id, count, head, sealed, path)
          select ${index}, leaf, box, count, head, sealed, path
          from json_to_recordset(${JSON.stringify(leaves)}::json)
            as l(leaf int, box text, count int, head text, sealed boolean, path text)`,
    )
  }
}

/** A seal is anchored once; nothing is appended to its box any more, so no writer waits for this. */
const leaveSealedOut = (tx: Tx, index: number): Promise<unknown> =>
  rows(
    tx,
    sql`update boxes set seal_anchored = true
        where id in (select box_id from anchor_leaves where anchor_index = ${index} and sealed)`,
  )
