import { boxKey, childOf, EMPTY, entryAt } from './box-map.ts'
import { type Digest, toHex } from './digest.ts'

/** Reads nodes of the box map by their values in hex; those that it does not have are missing in the answer. */
export type ReadNodes = (values: readonly string[]) => Promise<ReadonlyMap<string, Uint8Array>>

/**
 * The nodes on the ways to these boxes: all that `updateMap` and `proveBox` look at for them. For a map whose nodes are
 * in a database: one call of `read` for each level, whatever the number of boxes.
 * @throws RangeError when a node is missing or damaged
 */
export async function loadPaths(
  read: ReadNodes,
  root: Digest,
  boxIDs: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const nodes = new Map<string, Uint8Array>()
  let level: Way[] = boxIDs.map((boxID) => ({ key: boxKey(boxID), at: root }))
  for (let depth = 0; level.length > 0; depth++) {
    const values = new Set(level.map(({ at }) => toHex(at)))
    values.delete(toHex(EMPTY))
    if (values.size === 0) break
    for (const [value, bytes] of await read([...values])) nodes.set(value, bytes)
    level = level.flatMap(({ key, at }) => {
      const entry = entryAt(nodes, at)
      return entry !== null && 'halves' in entry ? [{ key, at: childOf(entry.halves, key, depth) }] : []
    })
  }
  return nodes
}

/** How far the way to a box has come. */
interface Way {
  readonly key: Digest
  readonly at: Digest
}
