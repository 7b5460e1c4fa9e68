import { type Digest, hashOf, sameDigest } from './digest.ts'

const LEAF = Uint8Array.of(0x00)
const NODE = Uint8Array.of(0x01)

/** SHA-256(0x00 ‖ leaf bytes). The prefix stops a node posing as a leaf. Source: RFC 9162 §2.1.1. */
export const leafHash = (leaf: Uint8Array): Digest => hashOf(LEAF, leaf)

/** SHA-256(0x01 ‖ left ‖ right). Source: RFC 9162 §2.1.1. */
export const nodeHash = (left: Digest, right: Digest): Digest => hashOf(NODE, left, right)

/** A whole tree in memory. Building costs one hash per leaf and node; a path afterwards costs no hash at all. */
export interface MerkleTree {
  readonly size: number
  readonly root: Digest
  /** Inclusion path of leaf `index`, from the leaf up. @throws RangeError when there is no such leaf */
  path(index: number): Digest[]
}

/**
 * The Merkle tree over the leaf bytes, in the order given. An empty list has the root SHA-256().
 * A level without a partner for its last node hands it up unchanged: the same shape as RFC 9162's split at the
 * largest power of two. Source: RFC 9162 §2.1.1 and §2.1.3.1.
 */
export function buildTree(leaves: readonly Uint8Array[]): MerkleTree {
  const levels = [leaves.map(leafHash)]
  for (let level = levels[0] ?? []; level.length > 1; levels.push(level)) level = levelAbove(level)
  const root = levels.at(-1)?.[0] ?? hashOf()
  return { size: leaves.length, root, path: (index) => pathIn(levels, index) }
}

function levelAbove(level: readonly Digest[]): Digest[] {
  const above: Digest[] = []
  level.forEach((node, i) => {
    if (i % 2 === 1) above[above.length - 1] = nodeHash(above.at(-1) ?? node, node)
    else above.push(node)
  })
  return above
}

function pathIn(levels: readonly (readonly Digest[])[], index: number): Digest[] {
  if (!Number.isInteger(index) || levels[0]?.[index] === undefined) throw new RangeError(`no leaf ${index}`)
  const path: Digest[] = []
  let at = index
  for (const level of levels) {
    const sibling = level[at % 2 === 0 ? at + 1 : at - 1]
    if (sibling !== undefined) path.push(sibling)
    at = Math.floor(at / 2)
  }
  return path
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
