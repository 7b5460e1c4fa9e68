import { type Digest, hashOf, hexHashOf, hexOf, isHexDigest, textOf, unhexed, utf8 } from './digest.ts'
import { anchorLeaf, type BoxState, parseBoxState } from './leaf.ts'

/*
 * The box map: the state of every box, each at the one place that its id gives it. A binary prefix tree over the bits
 * of `boxKey`. Source: protocol §4, in the shape of CONIKS and IETF KEYTRANS.
 *
 * A node is the bytes that its value is the SHA-256 of: a leaf is 0x00 ‖ leaf bytes, an inner node 0x01 ‖ left ‖ right.
 * A subtree without a box has the value `EMPTY` and no node; one with a single box is that box's leaf, however high.
 * Nodes never change: an update adds the ones on the ways to the boxes that it changes, and shares all others.
 *
 * Values and nodes are hex here, as tables and documents hold them: an inner node is then its halves one after the
 * other.
 */

/** A node of the map, as it is stored; all hex. */
export interface MapNode {
  /** Its SHA-256: the name by which its parent or the root knows it. */
  readonly value: string
  readonly bytes: string
}

/** Value of a subtree that holds no box, and root of a map without boxes. Source: protocol §4. */
export const EMPTY = '0'.repeat(64)
/** As many bits as a key has: no path is longer. */
export const MAX_PATH_LENGTH = 256

const LEAF = '00'
const INNER = '01'

/**
 * SHA-256(UTF-8("befaqt/2/box/" + boxID)): its bits, the most significant first, lead to the box. Source: protocol §4.
 */
export const boxKey = (boxID: string): Digest => hashOf(utf8(`befaqt/2/box/${boxID}`))

/** Bit `i` of a key: 0 leads left. */
const bitOf = (key: Digest, i: number): number => ((key[i >> 3] ?? 0) >> (7 - (i & 7))) & 1

const leafNode = (state: BoxState): string => LEAF + hexOf(anchorLeaf(state))
const innerNode = (left: string, right: string): string => INNER + left + right

/** What a value is the hash of: nothing, one box, or two halves. */
export type MapEntry = { readonly state: BoxState } | { readonly halves: readonly [string, string] } | null

/**
 * Nodes of maps, by their values. One that is taken in from elsewhere is hashed once, to see that it is what its value
 * was made of; one that an update makes is hashed to get its value; none is hashed again when it is looked at.
 */
export class MapNodes {
  readonly #entries = new Map<string, NonNullable<MapEntry>>()

  constructor(nodes: Iterable<MapNode> = []) {
    for (const node of nodes) this.take(node)
  }

  get size(): number {
    return this.#entries.size
  }

  has(value: string): boolean {
    return value === EMPTY || this.#entries.has(value)
  }

  /** @throws RangeError when these are other bytes than the value was made of */
  take({ value, bytes }: MapNode): void {
    if (hexHashOf(bytes) !== value) throw new RangeError(`node ${value} of the box map is damaged`)
    this.#entries.set(value, entryIn(bytes))
  }

  /** @throws RangeError when the node is missing */
  entryAt(value: string): MapEntry {
    if (value === EMPTY) return null
    const entry = this.#entries.get(value)
    if (entry === undefined) throw new RangeError(`the store of the box map lacks node ${value}`)
    return entry
  }

  /** Leaves out nodes that no map in use has. */
  drop(values: Iterable<string>): void {
    for (const value of values) this.#entries.delete(value)
  }

  /** Adds a node that was just made. */
  make(bytes: string, entry: NonNullable<MapEntry>): string {
    const value = hexHashOf(bytes)
    this.#entries.set(value, entry)
    return value
  }
}

const entryIn = (bytes: string): NonNullable<MapEntry> =>
  bytes.startsWith(INNER)
    ? { halves: [bytes.slice(2, 66), bytes.slice(66)] }
    : { state: parseBoxState(JSON.parse(textOf(unhexed(bytes.slice(2))))) }

/** The half to which a key leads from an inner node at this depth. */
export const childOf = ([left, right]: readonly [string, string], key: Digest, depth: number): string =>
  bitOf(key, depth) === 0 ? left : right

/** A map after an update. */
export interface MapUpdate {
  readonly root: string
  /** Nodes that the map before did not have. */
  readonly added: readonly MapNode[]
  /** Values of nodes that only the map before has. */
  readonly removed: readonly string[]
}

/**
 * The map with these states in it, each in place of its box's former one. Its nodes are then in `nodes`, beside those
 * of the map before.
 * @throws RangeError when two states are of one box, or a node on the way to one is missing
 */
export function updateMap(nodes: MapNodes, root: string, states: readonly BoxState[]): MapUpdate {
  const added = new Map<string, string>()
  const removed = new Set<string>()

  const add = (bytes: string, entry: NonNullable<MapEntry>): string => {
    const value = nodes.make(bytes, entry)
    added.set(value, bytes)
    return value
  }

  const update = (before: string, changes: readonly Keyed[], depth: number): string => {
    if (changes.length === 0) return before
    const entry = nodes.entryAt(before)
    if (entry !== null) removed.add(before)
    if (entry === null) return build(changes, depth)
    if ('state' in entry) return build(withFormer(changes, entry.state), depth)
    const [left, right] = split(changes, depth)
    return join(update(entry.halves[0], left, depth + 1), update(entry.halves[1], right, depth + 1))
  }

  const build = (boxes: readonly Keyed[], depth: number): string => {
    const [first] = boxes
    if (first === undefined) return EMPTY
    if (boxes.length === 1) return add(leafNode(first.state), { state: first.state })
    const [left, right] = split(boxes, depth)
    return join(build(left, depth + 1), build(right, depth + 1))
  }

  const join = (left: string, right: string): string => add(innerNode(left, right), { halves: [left, right] })

  const next = update(root, keyed(states), 0)
  return {
    root: next,
    added: [...added].flatMap(([value, bytes]) => (removed.has(value) ? [] : [{ value, bytes }])),
    removed: [...removed].filter((value) => !added.has(value)),
  }
}

/** A state with its key, which is looked at bit by bit on the way down. */
interface Keyed {
  readonly key: Digest
  readonly state: BoxState
}

function keyed(states: readonly BoxState[]): Keyed[] {
  if (new Set(states.map(({ box }) => box)).size < states.length)
    throw new RangeError('two states of one box in one update')
  return states.map((state) => ({ key: boxKey(state.box), state }))
}

/** The leaf that stood here moves down beside the new ones, unless one of them is its own box's. */
const withFormer = (changes: readonly Keyed[], former: BoxState): readonly Keyed[] =>
  changes.some(({ state }) => state.box === former.box)
    ? changes
    : [...changes, { key: boxKey(former.box), state: former }]

const split = (boxes: readonly Keyed[], depth: number): [Keyed[], Keyed[]] => [
  boxes.filter(({ key }) => bitOf(key, depth) === 0),
  boxes.filter(({ key }) => bitOf(key, depth) === 1),
]

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

/** What a map says of a box: its state, or that it has none. Source: protocol §4. */
export interface BoxProof {
  /** The box's state; null: the map does not hold the box. */
  readonly leaf: BoxState | null
  /** Where the map does not hold the box: the leaf of another box at which its key ends; null: nothing is there. */
  readonly other: BoxState | null
  /** Values of the siblings, from the leaf up to the root. */
  readonly path: readonly string[]
}

/** Proves a box's state under `root`, or that it has none. @throws RangeError when a node is missing */
export function proveBox(nodes: MapNodes, root: string, boxID: string): BoxProof {
  const key = boxKey(boxID)
  const path: string[] = []
  let entry = nodes.entryAt(root)
  while (entry !== null && 'halves' in entry) {
    const [left, right] = entry.halves
    const goRight = bitOf(key, path.length) === 1
    path.push(goRight ? left : right)
    entry = nodes.entryAt(goRight ? right : left)
  }
  path.reverse()
  if (entry === null) return { leaf: null, other: null, path }
  const { state } = entry
  return state.box === boxID ? { leaf: state, other: null, path } : { leaf: null, other: state, path }
}

/** Is this what `root` says of the box: this very state, or that there is none? A bad proof is an answer. */
export function verifyBox(boxID: string, { leaf, other, path }: BoxProof, root: string): boolean {
  if (leaf !== null) return leaf.box === boxID && other === null && leadsTo(root, boxKey(boxID), leaf, path)
  return verifyAbsence(boxID, other, path, root)
}

/** Does the way down the box's key end, under `root`, at nothing or at another box? Source: protocol §4, Absence. */
function verifyAbsence(
  boxID: string,
  other: BoxState | null,
  path: readonly string[],
  root: string,
): boolean {
  const key = boxKey(boxID)
  if (other === null) return leadsTo(root, key, null, path)
  const otherKey = boxKey(other.box)
  const shared = path.every((_, i) => bitOf(key, i) === bitOf(otherKey, i))
  return other.box !== boxID && shared && leadsTo(root, key, other, path)
}

/** A leaf beside an empty half would be higher up, so the first sibling is never empty. Source: protocol §4, Path. */
const leadsTo = (root: string, key: Digest, leaf: BoxState | null, path: readonly string[]): boolean =>
  path.length <= MAX_PATH_LENGTH &&
  path[0] !== EMPTY &&
  path.every(isHexDigest) &&
  rootOver(key, leaf, path) === root

const rootOver = (key: Digest, leaf: BoxState | null, path: readonly string[]): string =>
  path.reduce(
    (below, sibling, above) =>
      hexHashOf(
        bitOf(key, path.length - 1 - above) === 0 ? innerNode(below, sibling) : innerNode(sibling, below),
      ),
    leaf === null ? EMPTY : hexHashOf(leafNode(leaf)),
  )

/** The root that a path of a box's state leads to: whoever changes a state can compute another. Source: protocol §4. */
export const rootAbove = (boxID: string, leaf: BoxState, path: readonly string[]): string =>
  rootOver(boxKey(boxID), leaf, path)
