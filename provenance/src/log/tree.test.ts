import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Digest, utf8 } from '../digest.ts'
import {
  EMPTY_ROOT,
  leafHash,
  MAX_PROOF,
  nodeHash,
  proveConsistency,
  proveInclusion,
  proveInclusions,
  type ReadHash,
  rootOf,
  verifyConsistency,
  verifyInclusion,
} from './tree.ts'

const leaf = (i: number): Digest => leafHash(utf8(`leaf ${i}`))
const read: ReadHash = async (level, index) =>
  level === 0 ? leaf(index) : nodeHash(await read(level - 1, index * 2), await read(level - 1, index * 2 + 1))

const SIZE = 40
const roots = await Promise.all(Array.from({ length: SIZE + 1 }, (_, size) => rootOf(size, read)))
const rootAt = (size: number): Digest => roots[size] ?? EMPTY_ROOT

test('every leaf of every tree is proven, at its place and in its tree alone', async () => {
  for (let size = 1; size <= SIZE; size++)
    for (let index = 0; index < size; index++) {
      const path = await proveInclusion(index, size, read)
      for (let other = 0; other < size; other++)
        assert.equal(verifyInclusion(leaf(index), other, size, path, rootAt(size)), other === index)
      assert.ok(!verifyInclusion(leaf(index), index, size, [...path, leaf(0)], rootAt(size)))
      assert.ok(path.length === 0 || !verifyInclusion(leaf(index), index, size, path.slice(1), rootAt(size)))
      assert.ok(
        path.length === 0 || !verifyInclusion(leaf(index), index, size, path.slice(0, -1), rootAt(size)),
      )
    }
})

test('leaves that are proven together have the ways that each has alone, and nothing is read twice', async () => {
  for (let size = 0; size <= SIZE; size++) {
    const all = Array.from({ length: size }, (_, index) => index)
    const asked: string[] = []
    const paths = await proveInclusions(all, size, (level, index) => {
      asked.push(`${level} ${index}`)
      return read(level, index)
    })
    assert.deepEqual(paths, await Promise.all(all.map((index) => proveInclusion(index, size, read))))
    const ragged = size.toString(2).length // a sibling that is no complete subtree is read in parts
    assert.ok(asked.length <= new Set(asked).size + ragged ** 2, `${asked.length} of ${new Set(asked).size}`)
  }
  await assert.rejects(proveInclusions([0, SIZE], SIZE, read), RangeError)
})

test('every tree continues every smaller one, and no proof shows it of another root', async () => {
  for (let size = 0; size <= SIZE; size++)
    for (let old = 0; old <= size; old++) {
      const proof = await proveConsistency(old, size, read)
      const holds = (before: Digest, now: Digest, hashes: readonly Digest[] = proof) =>
        verifyConsistency([old, before], [size, now], hashes)
      assert.ok(holds(rootAt(old), rootAt(size)), `${old} in ${size}`)
      assert.ok(!holds(leaf(0), rootAt(size)) || (old === 1 && size >= 1), `${old} in ${size}`)
      assert.ok(!holds(rootAt(old), leaf(1)) || old === 0, `${old} in ${size}`)
      assert.ok(!holds(rootAt(old), rootAt(size), [...proof, leaf(0)]))
      if (proof.length === 0) continue
      assert.ok(!holds(rootAt(old), rootAt(size), proof.slice(1)))
      assert.ok(!holds(rootAt(old), rootAt(size), proof.slice(0, -1)))
      for (let at = 0; at < proof.length; at++)
        assert.ok(
          !holds(rootAt(old), rootAt(size), proof.with(at, leaf(99))),
          `hash ${at}, ${old} in ${size}`,
        )
    }
})

test('sizes and places that are none, and proofs that are too long, prove nothing', async () => {
  for (const size of [-1, 0.5, Number.NaN, 2 ** 60, Number.POSITIVE_INFINITY]) {
    assert.ok(!verifyInclusion(leaf(0), 0, size, [], leaf(0)))
    assert.ok(!verifyInclusion(leaf(0), size, 1, [], leaf(0)))
    assert.ok(!verifyConsistency([size, leaf(0)], [size, leaf(0)], []))
    await assert.rejects(proveInclusion(0, size, read), RangeError)
    await assert.rejects(proveConsistency(size, 5, read), RangeError)
  }
  const long = Array.from({ length: MAX_PROOF + 1 }, () => leaf(0))
  assert.ok(!verifyInclusion(leaf(0), 0, 2 ** 48, long, leaf(0)))
  assert.ok(!verifyConsistency([3, leaf(0)], [2 ** 48, leaf(0)], long))
  await assert.rejects(proveInclusion(5, 5, read), RangeError)
  await assert.rejects(proveConsistency(6, 5, read), RangeError)
})

test('no changed bit of a proof or root proves the same', async () => {
  const bit = (digest: Digest, at: number): Digest =>
    digest.map((byte, i) => (i === at >> 3 ? byte ^ (1 << (at & 7)) : byte)) as Digest
  await fc.assert(
    fc.asyncProperty(fc.nat(SIZE - 1), fc.nat(SIZE - 1), fc.nat(255), async (a, b, at) => {
      const [index, size] = [Math.min(a, b), Math.max(a, b) + 1]
      const path = await proveInclusion(index, size, read)
      const root = rootAt(size)
      assert.ok(!verifyInclusion(bit(leaf(index), at), index, size, path, root))
      assert.ok(!verifyInclusion(leaf(index), index, size, path, bit(root, at)))
      for (const [i, hash] of path.entries())
        assert.ok(!verifyInclusion(leaf(index), index, size, path.with(i, bit(hash, at)), root))
      const proof = await proveConsistency(index, size, read)
      if (index === 0) return
      for (const [i, hash] of proof.entries())
        assert.ok(!verifyConsistency([index, rootAt(index)], [size, root], proof.with(i, bit(hash, at))))
    }),
  )
})
