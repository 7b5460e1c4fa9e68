import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type BoxState, toHex } from '@befaqt/provenance'
import {
  type BoxProof,
  boxKey,
  loadPaths,
  type MapNode,
  type MapNodes,
  proveBox,
  type ReadNodes,
  updateMap,
} from '@befaqt/provenance/box-map'
import { gte, type SQL, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { mapNodes, removedMapNodes } from '#server/db/schema/ledger.ts'

/** A box that has grown since the map before, proven in the map before and in the new one. */
export interface Growth {
  readonly state: BoxState
  /** How many records it had in the map before; 0: it was not there. */
  readonly formerCount: number
  readonly before: BoxProof
  readonly path: readonly string[]
}

interface GrownMap {
  readonly root: string
  readonly growths: readonly Growth[]
  /** States that are not more than the map before holds of their boxes: damage, and no growth. */
  readonly refused: readonly BoxState[]
  /** Nodes that the map before did not have. */
  readonly added: readonly MapNode[]
  /** Values of nodes that only the map before has. */
  readonly removed: readonly string[]
}

/** Boxes at a time: a few milliseconds, and then others have their turn. */
const BATCH = 100
/** Boxes whose ways are read at a time, with a statement for each level. */
const READ_BATCH = 1_000

/**
 * The map with these states, reading only the ways to them. A state that is not more than the map holds of its box is
 * left out: what was anchored is never taken back, whatever has happened to the database.
 * @param states one for each box
 */
export async function growMap(
  read: ReadNodes,
  before: string,
  states: readonly BoxState[],
): Promise<GrownMap> {
  const candidates = await inKeyOrder(states)
  const nodes = await loadAll(read, before, candidates)
  const grown: Omit<Growth, 'path'>[] = []
  const refused: BoxState[] = []
  await inBatches(candidates, (batch) => {
    for (const state of batch) {
      const proof = proveBox(nodes, before, state.box)
      const formerCount = proof.leaf?.count ?? 0
      if (state.count > formerCount) grown.push({ state, formerCount, before: proof })
      else if (!isSame(state, proof.leaf)) refused.push(state)
    }
  })
  const after = await update(nodes, before, grown)
  const growths: Growth[] = []
  await inBatches(grown, (batch) => {
    for (const growth of batch)
      growths.push({ ...growth, path: proveBox(nodes, after.root, growth.state.box).path })
  })
  const added = [...after.added].map(([value, bytes]) => ({ value, bytes }))
  return { root: after.root, growths, refused, added, removed: [...after.removed] }
}

/** A box is in the queue twice when it grew while an anchor collected it, which then may have seen both. */
const isSame = (state: BoxState, former: BoxState | null): boolean =>
  state.count === former?.count && state.head === former.head && state.sealed === former.sealed

/** Neighbours in the map come after each other, so that a batch shares most of its way. */
async function inKeyOrder(states: readonly BoxState[]): Promise<BoxState[]> {
  const keyed: { state: BoxState; key: string }[] = []
  await inBatches(states, (batch) => {
    for (const state of batch) keyed.push({ state, key: toHex(boxKey(state.box)) })
  })
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ state }) => state)
}

/** All nodes on the ways to these boxes; each is read and checked once. */
async function loadAll(read: ReadNodes, root: string, states: readonly BoxState[]): Promise<MapNodes> {
  const nodes = await loadPaths(read, root, [])
  for (let from = 0; from < states.length; from += READ_BATCH) {
    const boxIDs = states.slice(from, from + READ_BATCH).map(({ box }) => box)
    await loadPaths(read, root, boxIDs, nodes)
  }
  return nodes
}

/** One update after the other; what one adds and a later one removes is left out. */
async function update(nodes: MapNodes, before: string, grown: readonly { state: BoxState }[]) {
  let root = before
  const added = new Map<string, string>()
  const removed = new Set<string>()
  await inBatches(grown, (batch) => {
    const next = updateMap(
      nodes,
      root,
      batch.map(({ state }) => state),
    )
    for (const value of next.removed) if (!added.delete(value)) removed.add(value)
    for (const { value, bytes } of next.added) if (!removed.delete(value)) added.set(value, bytes)
    root = next.root
  })
  return { root, added, removed }
}

async function inBatches<T>(all: readonly T[], work: (batch: readonly T[]) => void): Promise<void> {
  for (let from = 0; from < all.length; from += BATCH) {
    work(all.slice(from, from + BATCH))
    await yieldToEventLoop()
  }
}

/** Nodes go to and fro as one text, about 1 MB at a time: many times as fast as rows of parameters or columns. */
const ROWS_PER_STATEMENT = 5_000

/** The parts of such a text, in order. */
const list = (hex: readonly string[]): SQL => sql`string_to_array(${hex.join()}, ',')`

/** Values for `any`: an array is looked up in the index, where a subquery may be joined with the whole table. */
const valuesIn = (values: readonly string[]): SQL =>
  sql`array(select decode(v, 'hex') from unnest(${list(values)}) v)`

/** Reads nodes of the box map by their values. */
export const nodesIn =
  (db: Db | Tx): ReadNodes =>
  async (values) => {
    const [found] = await rows<{ nodes: string | null }>(
      db,
      sql`select string_agg(encode(value || bytes, 'hex'), ',') as nodes from map_nodes
          where value = any(${valuesIn(values)})`,
    )
    const nodes = found?.nodes?.split(',') ?? []
    return nodes.map((node) => ({ value: node.slice(0, 64), bytes: node.slice(64) }))
  }

/** Stores what the map of this anchor has and the one before has not, and notes what is only in the one before. */
export async function saveNodes(
  tx: Tx,
  anchorIndex: number,
  { added, removed }: { added: readonly MapNode[]; removed: readonly string[] },
): Promise<void> {
  for (let from = 0; from < added.length; from += ROWS_PER_STATEMENT) {
    const part = added.slice(from, from + ROWS_PER_STATEMENT)
    const [values, bytes] = [part.map((node) => node.value), part.map((node) => node.bytes)]
    const [inserted] = await rows<{ n: number }>(
      tx,
      sql`with inserted as (
            insert into map_nodes (value, bytes, added_at)
            select decode(value, 'hex'), decode(bytes, 'hex'), ${anchorIndex}
            from unnest(${list(values)}, ${list(bytes)}) as n(value, bytes) order by 1
            on conflict do nothing returning 1)
          select count(*)::int as n from inserted`,
    )
    if (inserted?.n !== part.length) await keepNodes(tx, values)
  }
  for (let from = 0; from < removed.length; from += ROWS_PER_STATEMENT)
    await rows(
      tx,
      sql`insert into removed_map_nodes (value, removed_at)
          select decode(value, 'hex'), ${anchorIndex}
          from unnest(${list(removed.slice(from, from + ROWS_PER_STATEMENT))}) as n(value)`,
    )
}

/** Nodes that an older map had, and a newer one has again before they are pruned, stay. */
const keepNodes = (tx: Tx, values: readonly string[]): Promise<unknown> =>
  rows(tx, sql`delete from removed_map_nodes where value = any(${valuesIn(values)})`)

/** Deletes the nodes that neither the map of this anchor nor a newer one has. */
export async function pruneNodes(tx: Tx, anchorIndex: number): Promise<void> {
  await rows(
    tx,
    sql`with gone as (delete from removed_map_nodes where removed_at <= ${anchorIndex} returning value)
        delete from map_nodes where value = any(array(select value from gone))`,
  )
}

/** Takes the map back to the anchor before this one. Its nodes must not be pruned yet. */
export async function takeBackNodes(tx: Tx, anchorIndex: number): Promise<void> {
  await tx.delete(mapNodes).where(gte(mapNodes.addedAt, anchorIndex))
  await tx.delete(removedMapNodes).where(gte(removedMapNodes.removedAt, anchorIndex))
}
