import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type BoxState, toHex } from '@befaqt/provenance'
import {
  type BoxProof,
  boxKey,
  type MapNode,
  type MapNodes,
  proveBox,
  updateMap,
} from '@befaqt/provenance/box-map'
import { loadPaths, type ReadNodes } from '@befaqt/provenance/load-paths'

/** A box that has grown since the map before, proven in the map before and in the new one. */
export interface Growth {
  readonly state: BoxState
  /** How many records it had in the map before; 0: it was not there. */
  readonly formerCount: number
  readonly before: BoxProof
  readonly path: readonly string[]
}

export interface GrownMap {
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
