import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type BoxState, type Digest, toHex } from '@befaqt/provenance'
import { boxKey, type MapNode, type MapProof, proveBox, updateMap } from '@befaqt/provenance/box-map'
import { loadPaths, type ReadNodes } from '@befaqt/provenance/load-paths'

/** A box that has grown since the map before, proven in the map before and in the new one. */
export interface Growth {
  readonly state: BoxState
  /** How many records it had in the map before; 0: it was not there. */
  readonly formerCount: number
  readonly before: MapProof
  readonly path: readonly Digest[]
}

export interface GrownMap {
  readonly root: Digest
  readonly growths: readonly Growth[]
  /** Nodes that the map before did not have. */
  readonly added: readonly MapNode[]
  /** Values of nodes that only the map before has. */
  readonly removed: readonly string[]
}

/** Boxes at a time: their hashes take some 30 ms, and then others have their turn. */
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
  before: Digest,
  states: readonly BoxState[],
): Promise<GrownMap> {
  const candidates = inKeyOrder(states)
  const former = await loadAll(read, before, candidates)
  const grown: Omit<Growth, 'path'>[] = []
  await inBatches(candidates, (batch) => {
    for (const state of batch) {
      const proof = proveBox(former, before, state.box)
      const formerCount = proof.leaf?.count ?? 0
      if (state.count > formerCount) grown.push({ state, formerCount, before: proof })
    }
  })
  const after = await update(former, before, grown)
  const growths: Growth[] = []
  await inBatches(grown, (batch) => {
    for (const growth of batch)
      growths.push({ ...growth, path: proveBox(after.nodes, after.root, growth.state.box).path })
  })
  const added = [...after.added].map(([value, bytes]) => ({ value, bytes }))
  return { root: after.root, growths, added, removed: [...after.removed] }
}

/** Neighbours in the map come after each other, so that a batch shares most of its way. */
const inKeyOrder = (states: readonly BoxState[]): BoxState[] =>
  states
    .map((state) => ({ state, key: toHex(boxKey(state.box)) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ state }) => state)

/** All nodes on the ways to these boxes; each is read once. */
async function loadAll(
  read: ReadNodes,
  root: Digest,
  states: readonly BoxState[],
): Promise<Map<string, Uint8Array>> {
  const nodes = new Map<string, Uint8Array>()
  const readMissing: ReadNodes = async (values) => {
    const missing = values.filter((value) => !nodes.has(value))
    const found = missing.length === 0 ? new Map<string, Uint8Array>() : await read(missing)
    return new Map(
      values.flatMap((value) => {
        const bytes = nodes.get(value) ?? found.get(value)
        return bytes === undefined ? [] : [[value, bytes] as const]
      }),
    )
  }
  for (let from = 0; from < states.length; from += READ_BATCH) {
    const boxIDs = states.slice(from, from + READ_BATCH).map(({ box }) => box)
    for (const [value, bytes] of await loadPaths(readMissing, root, boxIDs)) nodes.set(value, bytes)
  }
  return nodes
}

/** One update after the other; what one adds and a later one removes is left out. */
async function update(
  former: ReadonlyMap<string, Uint8Array>,
  before: Digest,
  grown: readonly { state: BoxState }[],
) {
  let root = before
  const added = new Map<string, Uint8Array>()
  const removed = new Set<string>()
  const nodes = { get: (value: string) => added.get(value) ?? former.get(value) }
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
  return { root, added, removed, nodes }
}

async function inBatches<T>(all: readonly T[], work: (batch: readonly T[]) => void): Promise<void> {
  for (let from = 0; from < all.length; from += BATCH) {
    work(all.slice(from, from + BATCH))
    await yieldToEventLoop()
  }
}
