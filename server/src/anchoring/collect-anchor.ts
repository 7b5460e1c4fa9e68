import type { BoxState } from '@befaqt/provenance'
import { type BoxProof, EMPTY } from '@befaqt/provenance/box-map'
import type { StateBefore } from '@befaqt/provenance/bundle'
import { MAX_CHANGES } from '@befaqt/provenance/bundle-parts'
import { parseBoxState } from '@befaqt/provenance/leaf'
import { sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { anchors } from '#server/db/schema/ledger.ts'
import { awaitStandby } from '#server/db/standbys.ts'
import type { Anchor, AnchoringDeps } from './anchoring.ts'
import { type Growth, growMap, nodesIn, saveNodes } from './box-map.ts'

type CollectDeps = Pick<AnchoringDeps, 'db' | 'now' | 'checkLead' | 'log' | 'mostBoxes'>

/** What an operator reads about boxes that are left out of anchors. */
const DAMAGED =
  'Boxes were changed that are not anchored: their state is none, or less than the ledger holds, or another. Something ' +
  'other than the shop wrote to this database.'

/**
 * Collects the boxes that have grown into the map of the next anchor: root, nodes, and what proofs say of each of them,
 * in one transaction, which a synchronous standby has before anything is sent to the chain. Returns undefined when there
 * is nothing new: no record, and no gap in this database's anchors.
 *
 * The anchor after a gap holds the map as it was before the gap: the state before a box's growth has to be provable in
 * the anchor with the index before, and of the lost ones nothing can be proven. Source: protocol §4 and §5.
 */
export async function collectAnchor({
  db,
  now,
  checkLead,
  log,
  mostBoxes,
}: CollectDeps): Promise<Anchor | undefined> {
  const { anchor, damaged } = await db.transaction(async (tx) => {
    await checkLead(tx)
    await awaitStandby(tx)
    const { before, index } = await newestAnchor(tx)
    const followsGap = index > (before?.index ?? -1) + 1
    const rootBefore = before?.root ?? EMPTY
    const taken = followsGap ? { states: [], damaged: [] } : await takeGrownBoxes(tx, mostBoxes)
    const map = await growMap(nodesIn(tx), rootBefore, taken.states)
    const damaged = [...taken.damaged, ...map.refused.map(({ box }) => box)]
    if (map.growths.length === 0 && !followsGap) return { anchor: undefined, damaged }
    const boxes = (before?.boxes ?? 0) + map.growths.filter(({ formerCount }) => formerCount === 0).length
    const records = map.growths.reduce((sum, { state, formerCount }) => sum + state.count - formerCount, 0)
    const anchor = { index, root: map.root, boxes, records, state: 'collected' } as const
    const [row] = await tx
      .insert(anchors)
      .values({ ...anchor, createdAt: now() })
      .returning()
    await saveNodes(tx, index, map)
    await saveLeaves(tx, index, rootBefore, map.growths)
    return { anchor: row, damaged }
  })
  if (damaged.length > 0) log.error({ boxes: damaged.slice(0, 100), count: damaged.length }, DAMAGED)
  return anchor
}

/**
 * The newest anchor of this database and the index after all that it knows: its own and those in a gap. By one statement,
 * so that both are of one moment: a leader that stands still between two, while another goes on, would take the newer
 * anchors for a gap and give the older map the next index. As it is, the index is taken when it goes on.
 */
async function newestAnchor(
  db: Db | Tx,
): Promise<{ before: Pick<Anchor, 'index' | 'root' | 'boxes'> | undefined; index: number }> {
  const [known] = await rows<{ index: number | null; root: string; boxes: number; gap: number | null }>(
    db,
    sql`select a.index, a.root, a.boxes, g.last as gap
        from (select max(last_index) as last from ledger_gaps) g
        left join (select index, root, boxes from anchors order by index desc limit 1) a on true`,
  )
  const { index: newest = null, root = EMPTY, boxes = 0, gap = null } = known ?? {}
  return {
    before: newest === null ? undefined : { index: newest, root, boxes },
    index: Math.max(newest ?? -1, gap ?? -1) + 1,
  }
}

/** The index after all anchors that this database knows. */
export const nextIndex = async (db: Db | Tx): Promise<number> => (await newestAnchor(db)).index

/** SQL: what waits for an anchor and may be taken. */
const waiting = sql`grown_boxes g join boxes b on b.id = g.box_id where not b.held_back`

/** Do more boxes wait than one anchor can take? */
export async function waitsMoreThanOne({
  db,
  mostBoxes = MAX_CHANGES,
}: Pick<CollectDeps, 'db' | 'mostBoxes'>): Promise<boolean> {
  const [found] = await rows<{ more: boolean }>(
    db,
    sql`select exists (select from ${waiting} offset ${mostBoxes}) as more`,
  )
  return found?.more === true
}

/**
 * The boxes whose state has changed, those that wait longest first, as many as a page of changes can tell. Read after
 * they are taken: a change after that has a row of its own. What can't be a state is damage, and stands aside. An array
 * is looked up once: joined, the planner may run the inner query for every row of a table that it takes for empty.
 */
async function takeGrownBoxes(
  tx: Tx,
  mostBoxes = MAX_CHANGES,
): Promise<{ states: BoxState[]; damaged: string[] }> {
  const taken = await rows<{ box: string }>(
    tx,
    sql`delete from grown_boxes where id = any(array(
          select g.id from ${waiting} order by g.id limit ${mostBoxes} for update of g skip locked))
        returning box_id as box`,
  )
  if (taken.length === 0) return { states: [], damaged: [] }
  const boxIDs = JSON.stringify(taken.map(({ box }) => box))
  const states = await rows<{ [name in keyof BoxState]: BoxState[name] }>(
    tx,
    sql`select id as box, count, head, sealed from boxes
        where id = any(array(select json_array_elements_text(${boxIDs}::json)))`,
  )
  const { valid = [], damaged = [] } = Object.groupBy(states, (state) =>
    isState(state) ? 'valid' : 'damaged',
  )
  return { states: valid, damaged: damaged.map(({ box }) => box) }
}

function isState(value: unknown): boolean {
  try {
    parseBoxState(value)
    return true
  } catch {
    return false
  }
}

/**
 * Leaves are sent under 1 MB at a time: their states as JSON, what proves them, which is long, as lines of text. A
 * single empty line makes no row: it is the path in a map of one box.
 */
const ROWS_PER_INSERT = 250

async function saveLeaves(
  tx: Tx,
  index: number,
  rootBefore: string,
  growths: readonly Growth[],
): Promise<void> {
  const beside = await boxesAt(tx, index - 1)
  for (let first = 0; first < growths.length; first += ROWS_PER_INSERT) {
    const part = growths.slice(first, first + ROWS_PER_INSERT)
    const states = part.map(({ state }) => state)
    const paths = part.map(({ path }) => path.join(''))
    const befores = part.map(({ state, before }) =>
      index === 0 || beside.has(state.box) ? '' : stateBefore(rootBefore, before),
    )
    await rows(
      tx,
      sql`insert into anchor_leaves (anchor_index, box_id, count, head, sealed, path, before)
          select ${index}, box, count, head, sealed, coalesce(path, ''), nullif(before, '')
          from rows from (
            json_to_recordset(${JSON.stringify(states)}::json) as (box text, count int, head text, sealed boolean),
            unnest(string_to_array(${paths.join('\n')}, chr(10))),
            unnest(string_to_array(${befores.join('\n')}, chr(10)))
          ) as l(box, count, head, sealed, path, before)`,
    )
  }
}

/** Boxes that have grown at an anchor: its leaf is the state before, if they grow at the next one. */
async function boxesAt(tx: Tx, index: number): Promise<Set<string>> {
  const found = await rows<{ box: string }>(
    tx,
    sql`select box_id as box from anchor_leaves where anchor_index = ${index}`,
  )
  return new Set(found.map(({ box }) => box))
}

function stateBefore(root: string, before: BoxProof): string {
  const shown: StateBefore = { root, ...before }
  return JSON.stringify(shown)
}
