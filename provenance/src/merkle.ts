import { type Digest, hashOf, sameDigest } from './digest.ts'

const LEAF = Uint8Array.of(0x00)
const NODE = Uint8Array.of(0x01)

/** SHA-256(0x00 ‖ leaf bytes). The prefix stops a node posing as a leaf. Source: RFC 9162 §2.1.1. */
export const leafHash = (leaf: Uint8Array): Digest => hashOf(LEAF, leaf)

/** SHA-256(0x01 ‖ left ‖ right). Source: RFC 9162 §2.1.1. */
export const nodeHash = (left: Digest, right: Digest): Digest => hashOf(NODE, left, right)

/** A whole tree in memory, 64 bytes a leaf. Building costs one hash per leaf and node; a path afterwards none. */
export interface MerkleTree {
  readonly size: number
  readonly root: Digest
  /** Inclusion path of leaf `index`, from the leaf up. @throws RangeError when there is no such leaf */
  path(index: number): Digest[]
}

/** Bytes of a hash. */
const HASH = 32
/** Hashes to a step of `treeInSteps`: a few milliseconds. */
const STEP = 1_000

/**
 * The Merkle tree over the leaf bytes, in the order given. An empty list has the root SHA-256().
 * A level without a partner for its last node hands it up unchanged: the same shape as RFC 9162's split at the
 * largest power of two. Source: RFC 9162 §2.1.1 and §2.1.3.1.
 */
export function buildTree(leaves: readonly Uint8Array[]): MerkleTree {
  const steps = treeInSteps(leaves.length, (index) => leaves[index] ?? noLeaf(index))
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** `buildTree` for many leaves: the caller may do something else after every step. */
export function* treeInSteps(
  size: number,
  leafAt: (index: number) => Uint8Array,
): Generator<undefined, MerkleTree> {
  let below = new Uint8Array(size * HASH)
  for (let i = 0; i < size; i++) {
    below.set(leafHash(leafAt(i)), i * HASH)
    if (i % STEP === STEP - 1) yield
  }
  const levels = [below]
  for (; below.length > HASH; levels.push(below)) below = yield* levelAbove(below)
  const root = size === 0 ? hashOf() : (below as Digest)
  return { size, root, path: (index) => pathIn(levels, index) }
}

function* levelAbove(level: Uint8Array): Generator<undefined, Uint8Array<ArrayBuffer>> {
  const above = new Uint8Array(Math.ceil(level.length / (2 * HASH)) * HASH)
  for (let at = 0; at < level.length; at += 2 * HASH) {
    const pair = level.subarray(at, at + 2 * HASH)
    above.set(pair.length === HASH ? pair : hashOf(NODE, pair), at / 2)
    if ((at / 2 / HASH) % STEP === STEP - 1) yield
  }
  return above
}

function pathIn(levels: readonly Uint8Array[], index: number): Digest[] {
  const leaves = levels[0]?.length ?? 0
  if (!Number.isInteger(index) || index < 0 || index * HASH >= leaves) return noLeaf(index)
  const path: Digest[] = []
  let at = index
  for (const level of levels) {
    const sibling = (at % 2 === 0 ? at + 1 : at - 1) * HASH
    if (sibling < level.length) path.push(level.slice(sibling, sibling + HASH) as Digest)
    at = Math.floor(at / 2)
  }
  return path
}

function noLeaf(index: number): never {
  throw new RangeError(`no leaf ${index}`)
}

/** Where a leaf stands in a tree, and the hashes on its way up to the root. */
export interface InclusionProof {
  readonly leafIndex: number
  readonly treeSize: number
  readonly path: readonly Digest[]
}

/** Do these leaf bytes stand at that place under `root`? A bad proof is an answer. Source: RFC 9162 §2.1.3.2. */
export function verifyInclusion(leaf: Uint8Array, proof: InclusionProof, root: Digest): boolean {
  if (!(proof.leafIndex >= 0 && proof.leafIndex < proof.treeSize)) return false
  let fn = proof.leafIndex
  let sn = proof.treeSize - 1
  let hash = leafHash(leaf)
  // Division, not shifts: sizes go up to 2^32 - 1, where JavaScript's 32-bit operators turn negative.
  for (const sibling of proof.path) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      hash = nodeHash(sibling, hash)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)]
    } else {
      hash = nodeHash(hash, sibling)
    }
    ;[fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
  }
  return sn === 0 && sameDigest(hash, root)
}
