import { concatBytes } from '@noble/hashes/utils.js'
import { type Digest, hashOf, sameDigest, textOf, toHex, utf8 } from './digest.ts'
import { anchorLeaf, type BoxState, parseBoxState } from './leaf.ts'

/*
 * The box map: the state of every box, each at the one place that its id gives it. A binary prefix tree over the bits
 * of `boxKey`. Source: protocol §4, in the shape of CONIKS and IETF KEYTRANS.
 *
 * A node is the bytes that its value is the SHA-256 of: a leaf is 0x00 ‖ leaf bytes, an inner node 0x01 ‖ left ‖ right.
 * A subtree without a box has the value `EMPTY` and no node; one with a single box is that box's leaf, however high.
 * Nodes never change: an update adds the ones on the ways to the boxes that it changes, and shares all others.
 */

/** Nodes by their value in hex; a Map is one. Only those on the ways to the boxes that are asked about are read. */
export interface NodeStore {
  get(value: string): Uint8Array | undefined
}

/** A node of the map, as it is stored. */
export interface MapNode {
  /** Its SHA-256, hex: the name by which its parent or the root knows it. */
  readonly value: string
  readonly bytes: Uint8Array
}

/** Value of a subtree that holds no box, and root of a map without boxes. Source: protocol §4. */
export const EMPTY: Digest = new Uint8Array(32) as Digest
/** As many bits as a key has: no path is longer. */
export const MAX_PATH_LENGTH = 256

const LEAF = Uint8Array.of(0x00)
const INNER = Uint8Array.of(0x01)

/** SHA-256(UTF-8("befaqt/2/box/" + boxID)): its bits, the most significant first, lead to the box. Source: protocol §4. */
export const boxKey = (boxID: string): Digest => hashOf(utf8(`befaqt/2/box/${boxID}`))

/** Bit `i` of a key: 0 leads left. */
const bitOf = (key: Digest, i: number): number => ((key[i >> 3] ?? 0) >> (7 - (i & 7))) & 1

const isEmpty = (value: Digest): boolean => sameDigest(value, EMPTY)
const leafNode = (state: BoxState): Uint8Array => concatBytes(LEAF, anchorLeaf(state))
const innerNode = (left: Digest, right: Digest): Uint8Array => concatBytes(INNER, left, right)

/** What stands under a value: nothing, one box, or two halves. */
export type MapEntry = { readonly state: BoxState } | { readonly halves: readonly [Digest, Digest] } | null

/** @throws RangeError when the store lacks the node, or holds other bytes than the value was made of */
export function entryAt(nodes: NodeStore, value: Digest): MapEntry {
  if (isEmpty(value)) return null
  const bytes = nodes.get(toHex(value))
  if (bytes === undefined) throw new RangeError(`the store of the box map lacks node ${toHex(value)}`)
  if (!sameDigest(hashOf(bytes), value))
    throw new RangeError(`node ${toHex(value)} of the box map is damaged`)
  if (bytes[0] === INNER[0]) return { halves: [bytes.slice(1, 33) as Digest, bytes.slice(33) as Digest] }
  return { state: parseBoxState(JSON.parse(textOf(bytes.subarray(1)))) }
}

/** The half to which a key leads from an inner node at this depth. */
export const childOf = ([left, right]: readonly [Digest, Digest], key: Digest, depth: number): Digest =>
  bitOf(key, depth) === 0 ? left : right

/** A map after an update. */
export interface MapUpdate {
  readonly root: Digest
  /** Nodes that the map before did not have. */
  readonly added: readonly MapNode[]
  /** Values, hex, of nodes that only the map before has. */
  readonly removed: readonly string[]
}

/**
 * The map with these states in it, each in place of its box's former one. `nodes` is only read.
 * @throws RangeError when two states are of one box
 */
export function updateMap(nodes: NodeStore, root: Digest, states: readonly BoxState[]): MapUpdate {
  const added = new Map<string, Uint8Array>()
  const removed = new Set<string>()

  const add = (bytes: Uint8Array): Digest => {
    const value = hashOf(bytes)
    added.set(toHex(value), bytes)
    return value
  }

  const update = (before: Digest, changes: readonly Keyed[], depth: number): Digest => {
    if (changes.length === 0) return before
    const entry = entryAt(nodes, before)
    if (entry !== null) removed.add(toHex(before))
    if (entry === null) return build(changes, depth)
    if ('state' in entry) return build(withFormer(changes, entry.state), depth)
    const [left, right] = split(changes, depth)
    return join(update(entry.halves[0], left, depth + 1), update(entry.halves[1], right, depth + 1))
  }

  const build = (boxes: readonly Keyed[], depth: number): Digest => {
    const [first] = boxes
    if (first === undefined) return EMPTY
    if (boxes.length === 1) return add(leafNode(first.state))
    const [left, right] = split(boxes, depth)
    return join(build(left, depth + 1), build(right, depth + 1))
  }

  const join = (left: Digest, right: Digest): Digest => add(innerNode(left, right))

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

/** What stands where a box's key leads, and the values beside the way up from there. Source: protocol §4. */
export interface MapProof {
  /** The box's state; null: the map does not hold the box. */
  readonly leaf: BoxState | null
  /** Where the map does not hold the box: the leaf of another box at which its key ends; null: nothing is there. */
  readonly other: BoxState | null
  /** Values of the siblings, from the leaf up to the root. */
  readonly path: readonly Digest[]
}

/** Proves a box's state under `root`, or that it has none. @throws RangeError when a node is missing in the store */
export function proveBox(nodes: NodeStore, root: Digest, boxID: string): MapProof {
  const key = boxKey(boxID)
  const path: Digest[] = []
  let entry = entryAt(nodes, root)
  while (entry !== null && 'halves' in entry) {
    const [left, right] = entry.halves
    const goRight = bitOf(key, path.length) === 1
    path.unshift(goRight ? left : right)
    entry = entryAt(nodes, goRight ? right : left)
  }
  if (entry === null) return { leaf: null, other: null, path }
  const { state } = entry
  return state.box === boxID ? { leaf: state, other: null, path } : { leaf: null, other: state, path }
}

/** Is this what `root` says of the box: this very state, or that there is none? A bad proof is an answer. */
export function verifyBox(boxID: string, { leaf, other, path }: MapProof, root: Digest): boolean {
  if (leaf !== null) return leaf.box === boxID && other === null && leadsTo(root, boxKey(boxID), leaf, path)
  return verifyAbsence(boxID, other, path, root)
}

/** Does the way down the box's key end, under `root`, at nothing or at another box? Source: protocol §4, Absence. */
function verifyAbsence(
  boxID: string,
  other: BoxState | null,
  path: readonly Digest[],
  root: Digest,
): boolean {
  const key = boxKey(boxID)
  if (other === null) return leadsTo(root, key, null, path)
  const otherKey = boxKey(other.box)
  const shared = path.every((_, i) => bitOf(key, i) === bitOf(otherKey, i))
  return other.box !== boxID && shared && leadsTo(root, key, other, path)
}

/** A leaf beside an empty half would stand higher, so the first sibling is never empty. Source: protocol §4, Path. */
function leadsTo(root: Digest, key: Digest, leaf: BoxState | null, path: readonly Digest[]): boolean {
  const [first] = path
  if (path.length > MAX_PATH_LENGTH || (first !== undefined && isEmpty(first))) return false
  const value = path.reduce<Digest>(
    (below, sibling, above) =>
      hashOf(
        bitOf(key, path.length - 1 - above) === 0 ? innerNode(below, sibling) : innerNode(sibling, below),
      ),
    leaf === null ? EMPTY : hashOf(leafNode(leaf)),
  )
  return sameDigest(value, root)
}
