import { boxKey, childOf, type MapNode, MapNodes } from './box-map.ts'
import type { Digest } from './digest.ts'

/** Reads nodes of the box map by their values; those that it does not have are missing in the answer. */
export type ReadNodes = (values: readonly string[]) => Promise<Iterable<MapNode>>

/**
 * Adds to `nodes` those on the ways to these boxes: all that `updateMap` and `proveBox` look at for them. For a map whose
 * nodes are in a database: at most one call of `read` for each level, whatever the number of boxes.
 * @throws RangeError when a node is missing or damaged
 */
export async function loadPaths(
  read: ReadNodes,
  root: string,
  boxIDs: readonly string[],
  nodes = new MapNodes(),
): Promise<MapNodes> {
  let level: Way[] = boxIDs.map((boxID) => ({ key: boxKey(boxID), at: root }))
  for (let depth = 0; level.length > 0; depth++) {
    const missing = new Set(level.flatMap(({ at }) => (nodes.has(at) ? [] : [at])))
    if (missing.size > 0) for (const node of await read([...missing])) nodes.take(node)
    level = level.flatMap(({ key, at }) => {
      const entry = nodes.entryAt(at)
      return entry !== null && 'halves' in entry ? [{ key, at: childOf(entry.halves, key, depth) }] : []
    })
  }
  return nodes
}

/** How far the way to a box has come. */
interface Way {
  readonly key: Digest
  readonly at: string
}
