import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Digest, toHex } from './digest.ts'
import { buildTree, leafHash, nodeHash, verifyInclusion } from './merkle.ts'

const leavesOf = (size: number) =>
  Array.from({ length: size }, (_, i) => new TextEncoder().encode(`leaf ${i}`))

/** The definition of RFC 9162 §2.1.1 word for word, to hold the level-by-level builder against. */
function treeHash(leaves: readonly Uint8Array[]): Digest {
  const [first] = leaves
  if (first !== undefined && leaves.length === 1) return leafHash(first)
  let k = 1
  while (k * 2 < leaves.length) k *= 2
  return nodeHash(treeHash(leaves.slice(0, k)), treeHash(leaves.slice(k)))
}

test('the root is the one of the definition for every size up to 130', () => {
  for (let size = 1; size <= 130; size++) {
    const leaves = leavesOf(size)
    assert.equal(toHex(buildTree(leaves).root), toHex(treeHash(leaves)), `${size} leaves`)
  }
})

test('an empty tree has the hash of nothing as root', () => {
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  assert.equal(toHex(buildTree([]).root), empty)
})

test('there is no path for a leaf that is not there', () => {
  const tree = buildTree(leavesOf(3))
  for (const index of [-1, 3, 0.5, Number.NaN]) assert.throws(() => tree.path(index), RangeError)
})

const treeAndLeaf = fc
  .integer({ min: 1, max: 200 })
  .chain((size) => fc.record({ size: fc.constant(size), index: fc.nat(size - 1) }))

test('every leaf is proven by its path, and by no other place', () => {
  fc.assert(
    fc.property(treeAndLeaf, fc.nat(400), ({ size, index }, other) => {
      const leaves = leavesOf(size)
      const tree = buildTree(leaves)
      const leaf = leaves[index] ?? new Uint8Array()
      const proof = { leafIndex: index, treeSize: size, path: tree.path(index) }
      assert.ok(verifyInclusion(leaf, proof, tree.root))
      assert.equal(verifyInclusion(leaf, { ...proof, leafIndex: other }, tree.root), other === index)
    }),
  )
})

test('a flipped bit in leaf, path or root, a path too long or too short: refused', () => {
  fc.assert(
    fc.property(treeAndLeaf, fc.nat(31), fc.nat(7), ({ size, index }, byte, bit) => {
      const leaves = leavesOf(size)
      const tree = buildTree(leaves)
      const leaf = leaves[index] ?? new Uint8Array()
      const path = tree.path(index)
      const flip = (bytes: Digest) => bytes.map((b, i) => (i === byte ? b ^ (1 << bit) : b)) as Digest
      const holds = (l: Uint8Array, p: readonly Digest[], r: Digest) =>
        verifyInclusion(l, { leafIndex: index, treeSize: size, path: p }, r)
      assert.equal(
        holds(
          leaf.map((b, i) => (i === 0 ? b ^ (1 << bit) : b)),
          path,
          tree.root,
        ),
        false,
      )
      assert.equal(holds(leaf, path, flip(tree.root)), false)
      for (const [i, node] of path.entries())
        assert.equal(holds(leaf, path.with(i, flip(node)), tree.root), false)
      assert.equal(holds(leaf, [...path, tree.root], tree.root), false)
      if (path.length > 0) assert.equal(holds(leaf, path.slice(0, -1), tree.root), false)
    }),
  )
})

test('a node can not pose as a leaf', () => {
  const [a, b, c, d] = leavesOf(4).map(leafHash)
  assert.ok(a && b && c && d)
  const tree = buildTree(leavesOf(4))
  const posing = new Uint8Array([...a, ...b])
  assert.equal(
    verifyInclusion(posing, { leafIndex: 0, treeSize: 2, path: [nodeHash(c, d)] }, tree.root),
    false,
  )
})

test('a proof with the largest tree size ends, and a place outside is refused', () => {
  const [leaf] = leavesOf(1)
  assert.ok(leaf)
  const path = Array.from({ length: 32 }, () => leafHash(leaf))
  const root = path.reduce((below, sibling) => nodeHash(sibling, below), leafHash(leaf))
  const size = 2 ** 32 - 1
  assert.equal(verifyInclusion(leaf, { leafIndex: size, treeSize: size, path }, root), false)
  assert.equal(verifyInclusion(leaf, { leafIndex: size - 1, treeSize: size, path }, root), false)
  assert.ok(verifyInclusion(leaf, { leafIndex: 2 ** 32 - 1, treeSize: 2 ** 32, path }, root))
})
