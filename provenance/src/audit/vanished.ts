import { setImmediate as others } from 'node:timers/promises'
import { type BoxProof, EMPTY, type MapNodes, proveBox, verifyBox } from '../box-map.ts'
import type { AuditedMap, Step } from './follow-anchor.ts'

/** Boxes after which others come in between, and after which nodes that were read are let go. */
const SLICE = 250
const BATCH = 5_000

/**
 * The box without which what changed makes this root: it was taken out of the map, and nobody said so. With the proof that
 * the root does not hold it. Undefined where none alone explains the root.
 */
export async function takenOut(
  map: AuditedMap,
  step: Step,
  root: string,
): Promise<{ box: string; absence: BoxProof } | undefined> {
  let nodes = map.nodes(step)
  let looked = 0
  for (const box of map.boxIDs()) {
    const absence = withoutIt(nodes, step.root, box)
    if (absence !== undefined && verifyBox(box, absence, root)) return { box, absence }
    looked += 1
    if (looked % BATCH === 0) nodes = map.nodes(step)
    if (looked % SLICE === 0) await others()
  }
  return undefined
}

/** What the map of a root would say of one of its boxes, were it taken out: where its sibling is a box, that moves up. */
function withoutIt(nodes: MapNodes, root: string, box: string): BoxProof | undefined {
  const { leaf, path } = proveBox(nodes, root, box)
  if (leaf === null) return undefined
  const [sibling, ...above] = path
  if (sibling === undefined) return { leaf: null, other: null, path: [] }
  const entry = nodes.entryAt(sibling)
  if (entry === null || 'halves' in entry) return { leaf: null, other: null, path }
  const kept = above.findIndex((value) => value !== EMPTY)
  return { leaf: null, other: entry.state, path: kept === -1 ? [] : above.slice(kept) }
}
