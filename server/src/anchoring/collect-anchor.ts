import { type BoxState, type MerkleTree, toHex } from '@befaqt/provenance'
import { desc, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { anchors } from '#server/db/schema/ledger.ts'
import type { Anchor } from './anchor-moves.ts'
import type { AnchoringDeps } from './anchoring-deps.ts'
import { treeOf } from './tree-of.ts'

/** A box's newest state, the count of the last anchor that has it, and whether the previous anchor left it out. */
type Grown = Pick<BoxState, keyof BoxState> & { anchored: number; wasOut: boolean }

/** Leaves are sent as JSON, about 3 MB at a time: three times as fast as query parameters. */
const ROWS_PER_INSERT = 5_000

/**
 * Collects the state of every box that is not sealed, and of those sealed since the previous anchor, into the next
 * anchor: leaves, tree and root, in one transaction. Returns undefined when there is nothing new: no record, no box
 * that was released, and no gap in this database's anchors. Source: protocol §4.
 * @param firstIndex index of this database's first anchor
 * @param checkLead rejects when this process is no longer the leader
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
    await markSealsAnchored(tx, index)
    return row
  })
}

/** Ten times the limit of a box: a row with more is damaged. */
const MAX_NEW_RECORDS = 1_000_000

/** A box's new records. A damaged count (lower than before, or huge) must not stop the anchors of all the others. */
const newRecords = ({ count, anchored }: Grown): number =>
  Math.min(Math.max(0, count - anchored), MAX_NEW_RECORDS)

/** The index after all anchors that this database knows: its own and those in a gap. */
export async function nextIndex(db: Db | Tx, firstIndex: number): Promise<number> {
  const [known] = await rows<{ next: number | null }>(
    db,
    sql`select greatest((select max(index) from anchors), (select max(last_index) from ledger_gaps)) + 1 as next`,
  )
  return known?.next ?? firstIndex
}

/** In leaf order: `collate "C"` compares UTF-8 bytes. One statement, so one snapshot of all boxes. */
const boxStates = (tx: Tx, before: number): Promise<Grown[]> =>
  rows<Grown>(
    tx,
    sql`select b.id as box, b.count, b.head, b.sealed, l.count is null as "wasOut",
          coalesce(l.count, (select max(count) from anchor_leaves a where a.box_id = b.id), 0) as anchored
        from boxes b left join anchor_leaves l on l.anchor_index = ${before} and l.box_id = b.id
        where not b.seal_anchored and not b.held_back and b.count > 0
        order by b.id collate "C"`,
  )

/** Boxes with new records get their path stored: proofs need these leaves forever, and the rest of the tree is deleted. */
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

/** A seal is anchored once. Nothing is appended to a sealed box, so this blocks no writer. */
const markSealsAnchored = (tx: Tx, index: number): Promise<unknown> =>
  rows(
    tx,
    sql`update boxes set seal_anchored = true
        where id in (select box_id from anchor_leaves where anchor_index = ${index} and sealed)`,
  )
