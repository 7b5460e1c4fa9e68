import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EMPTY, loadPaths, MapNodes, proveBox, updateMap, verifyBox } from './box-map.ts'
import type { BoxState } from './leaf.ts'

const state = (i: number, count: number): BoxState => ({
  box: `box ${i}`,
  count,
  head: i.toString(16).padStart(64, '0'),
  sealed: false,
})

/** A map of `size` boxes, and a reader that counts its calls and the nodes that it gave. */
function storedMap(size: number) {
  const { root, added } = updateMap(
    new MapNodes(),
    EMPTY,
    Array.from({ length: size }, (_, i) => state(i, 1)),
  )
  const stored = new Map(added.map(({ value, bytes }) => [value, bytes]))
  const asked = { calls: 0, nodes: 0 }
  const read = async (values: readonly string[]) => {
    asked.calls += 1
    asked.nodes += values.length
    return values.flatMap((value) => {
      const bytes = stored.get(value)
      return bytes === undefined ? [] : [{ value, bytes }]
    })
  }
  return { root, added, stored, asked, read }
}

test('what is loaded is all that an update and the proofs of its boxes look at', async () => {
  for (const size of [0, 1, 2, 300]) {
    const { root, added, stored, read } = storedMap(size)
    const changes = [state(7, 2), state(100, 2), state(1000, 1)]
    const nodes = await loadPaths(
      read,
      root,
      changes.map(({ box }) => box),
    )
    assert.ok(nodes.size <= stored.size)
    const all = new MapNodes(added)
    for (const { box } of changes) {
      const proof = proveBox(nodes, root, box)
      assert.deepEqual(proof, proveBox(all, root, box))
      assert.ok(verifyBox(box, proof, root))
    }
    assert.deepEqual(updateMap(nodes, root, changes), updateMap(all, root, changes))
  }
})

test('one call reads a level for all boxes, and no node beside their ways', async () => {
  const { root, asked, read } = storedMap(1000)
  const boxes = Array.from({ length: 50 }, (_, i) => `box ${i * 20}`)
  const nodes = await loadPaths(read, root, boxes)
  const lengths = boxes.map((box) => proveBox(nodes, root, box).path.length)
  assert.equal(asked.calls, Math.max(...lengths) + 1)
  assert.equal(asked.nodes, nodes.size)
  const onTheWays = lengths.reduce((sum, length) => sum + length + 1, 0)
  assert.ok(nodes.size < onTheWays, `${nodes.size} of ${onTheWays}`)
})

test('a node that is missing or damaged stops the loading', async () => {
  const { root, stored, read } = storedMap(50)
  const bytes = stored.get(root)
  assert.ok(bytes)
  const damaged = async () => [
    { value: root, bytes: bytes.replace(/.$/, (last) => (last === '0' ? '1' : '0')) },
  ]
  await assert.rejects(loadPaths(damaged, root, ['box 1']), /damaged/)
  stored.delete(root)
  await assert.rejects(loadPaths(read, root, ['box 1']), /lacks node/)
})

test('what is known already is not read again', async () => {
  const { root, asked, read } = storedMap(300)
  const nodes = await loadPaths(read, root, ['box 1'])
  const { nodes: first } = { ...asked }
  await loadPaths(read, root, ['box 1', 'box 2'], nodes)
  assert.equal(asked.nodes, nodes.size)
  assert.ok(nodes.size > first)
})
