import { setImmediate as others } from 'node:timers/promises'
import { EMPTY, MapNodes, type MapUpdate, proveBox, updateMap } from '../box-map.ts'
import type { AnchorChanges, GrownState } from '../bundle-parts.ts'
import { type Digest, fromHex, toHex } from '../digest.ts'
import { type BoxState, compareBoxes } from '../leaf.ts'
import { genesisHead, headAfter } from '../record.ts'
import type { Finding } from './audit-state.ts'

/*
 * One anchor, followed by what a shop says has changed at it: the root that this makes of the map before, and what no
 * honest map shows. Whoever audits keeps the map where he likes: in memory, or in a file. Source: protocol §6, Auditor.
 */

/** The map of all boxes, as an auditor keeps it. */
export interface AuditedMap {
  readonly root: string
  /** Boxes in it. */
  readonly boxes: number
  /** Its nodes, and those that an update of it adds. */
  nodes(update?: MapUpdate): MapNodes
  /** All boxes that it holds. */
  boxIDs(): Iterable<string>
}

/** How a box came from one anchor to the next. */
export interface Growth {
  /** Undefined: the map before does not hold the box. */
  readonly former: BoxState | undefined
  readonly leaf: BoxState
  /** The head that the hashes of its new records lead to, and how many there are. */
  readonly followed: Digest
  readonly told: number
}

/** The map as the changes of an anchor make it. */
export interface Step extends MapUpdate {
  readonly boxes: number
  /** Records that are new, by the counts. */
  readonly records: number
  readonly growths: readonly Growth[]
  readonly findings: readonly Finding[]
}

/** More boxes never change at one anchor, nor do more hashes of records come than an anchor says, and this many. */
const MAX_GROWN = 100_000
const SPARE_RECORDS = 1_000_000
/** Boxes after which others come in between. */
const SLICE = 250

/**
 * What the changes of an anchor make of a map, whatever they say. Pages are read one by one, and of each box its head
 * alone is kept.
 * @param records new ones that the anchor itself says
 * @throws Error when the pages are of different anchors, out of order, or hold more than can be
 */
export async function followAnchor(
  map: AuditedMap,
  { index, records }: { index: number; records: number },
  pages: AsyncIterable<AnchorChanges>,
): Promise<Step> {
  const growing = new Map<string, Growth>()
  const nodes = map.nodes()
  let told = 0
  let last: BoxState | undefined
  for await (const { leaves } of pages) {
    for (const leaf of leaves) {
      const known = growing.get(leaf.box)
      const isNext = last === undefined || compareBoxes(last.box, leaf.box) < 0
      if (known === undefined ? !isNext : known.leaf !== last || !isSame(known.leaf, leaf))
        throw new Error(`The shop's pages of anchor ${index} are of different anchors.`)
      const grown = grow(known ?? begin(proveBox(nodes, map.root, leaf.box).leaf ?? undefined, leaf), leaf)
      growing.set(leaf.box, grown)
      last = grown.leaf
      told += leaf.records.length
      if (growing.size % SLICE === 0) await others()
    }
    if (growing.size > MAX_GROWN || told > records + SPARE_RECORDS)
      throw new Error(`The shop tells more of anchor ${index} than can be.`)
  }
  const growths = [...growing.values()]
  return {
    ...updateMap(
      nodes,
      map.root,
      growths.map(({ leaf }) => leaf),
    ),
    boxes: map.boxes + growths.filter(({ former }) => former === undefined).length,
    records: growths.reduce((sum, { former, leaf }) => sum + leaf.count - (former?.count ?? 0), 0),
    growths,
    findings: growths.flatMap((growth) => findingOf(index, growth) ?? []),
  }
}

function begin(former: BoxState | undefined, { box, count, head, sealed }: BoxState): Growth {
  const followed = former === undefined ? genesisHead(box) : fromHex(former.head)
  return { former, leaf: { box, count, head, sealed }, followed, told: 0 }
}

const grow = (growth: Growth, { records }: GrownState): Growth => ({
  ...growth,
  followed: records.reduce((head, record) => headAfter(head, fromHex(record)), growth.followed),
  told: growth.told + records.length,
})

const isSame = (a: BoxState, b: BoxState): boolean =>
  a.count === b.count && a.head === b.head && a.sealed === b.sealed

function findingOf(index: number, { former, leaf, followed, told }: Growth): Finding | undefined {
  const { box, count, head } = leaf
  const found = (code: Finding['code'], words: string): Finding => ({ index, code, box, words })
  const before = former?.count ?? 0
  if (count < before) return found('count_fell', `Box ${box} fell from ${before} records to ${count}.`)
  if (former !== undefined && count === before)
    return isSame(former, leaf)
      ? undefined
      : found('changed_without_growth', `Box ${box} changed and still has ${count} records.`)
  if (former?.sealed)
    return found('grown_after_seal', `Box ${box} was closed at ${before} records and has ${count}.`)
  if (told !== count - before || toHex(followed) !== head)
    return found(
      'not_following',
      `Box ${box} grew from ${before} records to ${count}, and its head does not follow from their hashes.`,
    )
  return undefined
}

/** The map of all boxes in memory. */
export class FollowedMap implements AuditedMap {
  readonly #states = new Map<string, BoxState>()
  readonly #nodes = new MapNodes()
  #root: string

  /** @throws RangeError when two states are of one box */
  constructor(states: readonly BoxState[]) {
    this.#root = updateMap(this.#nodes, EMPTY, states).root
    for (const state of states) this.#states.set(state.box, state)
  }

  get root(): string {
    return this.#root
  }

  get boxes(): number {
    return this.#states.size
  }

  states(): BoxState[] {
    return [...this.#states.values()]
  }

  boxIDs(): Iterable<string> {
    return this.#states.keys()
  }

  nodes(): MapNodes {
    return this.#nodes
  }

  /** Goes on from what a step makes of it. */
  accept({ root, removed, growths }: Step): void {
    this.#nodes.drop(removed)
    this.#root = root
    for (const { leaf } of growths) this.#states.set(leaf.box, leaf)
  }
}
