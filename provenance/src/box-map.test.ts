import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type BoxProof,
  boxKey,
  childOf,
  EMPTY,
  MAX_PATH_LENGTH,
  MapNodes,
  proveBox,
  updateMap,
  verifyBox,
} from './box-map.ts'
import { fromHex, hexHashOf } from './digest.ts'
import type { BoxState } from './leaf.ts'

interface KnownMap {
  leaves: BoxState[]
  root: string
  path: { box: string; path: string[] }
  absence: { box: string; other: BoxState; path: string[] }
}

const known: KnownMap[] = JSON.parse(
  readFileSync(new URL('../vectors/box-map.json', import.meta.url), 'utf8'),
)

/** A map that is stored as a server's is: every update reads what is stored, and nothing else. */
class StoredMap {
  readonly stored = new Map<string, string>()
  root = EMPTY

  get nodes(): MapNodes {
    return new MapNodes([...this.stored].map(([value, bytes]) => ({ value, bytes })))
  }

  update(states: readonly BoxState[]) {
    const update = updateMap(this.nodes, this.root, states)
    for (const { value, bytes } of update.added) this.stored.set(value, bytes)
    for (const value of update.removed) assert.ok(this.stored.delete(value), 'removed, but was never there')
    this.root = update.root
    return update
  }
}

function mapOf(states: readonly BoxState[]): StoredMap {
  const map = new StoredMap()
  map.update(states)
  return map
}

test('roots, paths and absences are those of the second implementation', () => {
  for (const { leaves, root, path, absence } of known) {
    const map = mapOf(leaves)
    assert.equal(map.root, root)
    const present = proveBox(map.nodes, map.root, path.box)
    assert.deepEqual([present.leaf?.box, present.path], [path.box, path.path])
    assert.ok(verifyBox(path.box, present, root))
    const absent = proveBox(map.nodes, map.root, absence.box)
    assert.deepEqual(absent, { leaf: null, other: absence.other, path: absence.path })
    assert.ok(verifyBox(absence.box, absent, root))
  }
})

test('a map without boxes has the root of 32 zero bytes, and proves every absence', () => {
  const { nodes, root } = mapOf([])
  assert.equal(root, '0'.repeat(64))
  const proof = proveBox(nodes, root, 'A')
  assert.deepEqual(proof, { leaf: null, other: null, path: [] })
  assert.ok(verifyBox('A', proof, root))
})

const stateArb = (box: string): fc.Arbitrary<BoxState> =>
  fc.record(
    {
      box: fc.constant(box),
      count: fc.integer({ min: 1, max: 1_000_000 }),
      head: fc
        .uint8Array({ minLength: 32, maxLength: 32 })
        .map((bytes) => Buffer.from(bytes).toString('hex')),
      sealed: fc.boolean(),
    },
    { noNullPrototype: true },
  )

const boxesArb = (maxLength: number) =>
  fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }), { maxLength })
const statesArb = (maxLength = 40) => boxesArb(maxLength).chain((boxes) => fc.tuple(...boxes.map(stateArb)))

/** States, and some that come later: of the same boxes and of others. */
const growthArb = fc.tuple(statesArb(), statesArb(12), fc.nat()).chain(([before, more, some]) =>
  fc
    .tuple(...before.filter((_, i) => (i * 7 + some) % 3 === 0).map(({ box }) => stateArb(box)))
    .map((changed) => ({
      before,
      after: [...new Map([...more, ...changed].map((s) => [s.box, s])).values()],
    })),
)

test('the root follows from the states alone, not from the order or the portions in which they came', () => {
  fc.assert(
    fc.property(statesArb(), fc.nat(), (states, by) => {
      const wanted = mapOf(states).root
      const turned = states.toReversed().toSorted((a, b) => ((a.count * by) % 7) - ((b.count * by) % 7))
      const grown = new StoredMap()
      for (const state of turned) grown.update([state])
      assert.equal(grown.root, wanted)
    }),
    { numRuns: 100 },
  )
})

test('an updated map is the rebuilt one: the same root, and exactly the same nodes', () => {
  fc.assert(
    fc.property(growthArb, ({ before, after }) => {
      const map = mapOf(before)
      map.update(after)
      const all = new Map([...before, ...after].map((state) => [state.box, state]))
      const rebuilt = mapOf([...all.values()])
      assert.equal(map.root, rebuilt.root)
      assert.deepEqual([...map.stored.keys()].sort(), [...rebuilt.stored.keys()].sort())
    }),
    { numRuns: 200 },
  )
})

test('an update with the states that the map has adds and removes nothing', () => {
  fc.assert(
    fc.property(statesArb(), (states) => {
      const map = mapOf(states)
      const { root, added, removed } = map.update(states.slice(0, 5))
      assert.deepEqual([root, added, removed], [map.root, [], []])
    }),
    { numRuns: 50 },
  )
})

test('every box that is there is proven, and every one that is not', () => {
  fc.assert(
    fc.property(statesArb(), boxesArb(20), (states, others) => {
      const { nodes, root } = mapOf(states)
      for (const state of states) {
        const proof = proveBox(nodes, root, state.box)
        assert.deepEqual(proof.leaf, state)
        assert.ok(verifyBox(state.box, proof, root))
      }
      for (const box of others.filter((other) => !states.some((state) => state.box === other))) {
        const proof = proveBox(nodes, root, box)
        assert.equal(proof.leaf, null)
        assert.ok(verifyBox(box, proof, root))
      }
    }),
    { numRuns: 100 },
  )
})

const flipped = (hex: string, bit: number): string => {
  const bytes = fromHex(hex)
  return Buffer.from(bytes.with(bit >> 3, (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7)))).toString('hex')
}

/** Every way in which a proof is spoilt here; `n` is some number. Those that hit nothing give the proof back. */
const spoilt: { readonly [name: string]: (proof: BoxProof, n: number) => BoxProof } = {
  'a bit of the path': (proof, n) => ({
    ...proof,
    path: proof.path.map((value, i) => (i === n % proof.path.length ? flipped(value, n % 256) : value)),
  }),
  'path shorter at the leaf': (proof) => ({ ...proof, path: proof.path.slice(1) }),
  'path shorter at the root': (proof) => ({ ...proof, path: proof.path.slice(0, -1) }),
  'path with an empty half below': (proof) => ({ ...proof, path: [EMPTY, ...proof.path] }),
  'path with its first value twice': ({ path, ...proof }) => ({
    ...proof,
    path: path.toSpliced(0, 0, ...path.slice(0, 1)),
  }),
  'path with an empty half above': (proof) => ({ ...proof, path: [...proof.path, EMPTY] }),
  'path turned round': (proof) => ({ ...proof, path: proof.path.toReversed() }),
  'too long a path': (proof) => ({ ...proof, path: Array(MAX_PATH_LENGTH + 1).fill(EMPTY) }),
  count: ({ leaf, ...proof }) => ({ ...proof, leaf: leaf && { ...leaf, count: leaf.count + 1 } }),
  head: ({ leaf, ...proof }, n) => ({
    ...proof,
    leaf: leaf && { ...leaf, head: flipped(leaf.head, n % 256) },
  }),
  sealed: ({ leaf, ...proof }) => ({ ...proof, leaf: leaf && { ...leaf, sealed: !leaf.sealed } }),
  'the box itself called another': ({ leaf, other, path }) => ({ leaf: other, other: leaf, path }),
  'no leaf at all': ({ path }) => ({ leaf: null, other: null, path }),
  'the other one changed': ({ other: is, ...proof }) => ({
    ...proof,
    other: is && { ...is, count: is.count + 1 },
  }),
  'an other one beside the leaf': (proof) => ({ ...proof, other: proof.leaf ?? proof.other }),
  'a leaf beside the other one': (proof) => ({ ...proof, leaf: proof.leaf ?? proof.other }),
}

/** As text, so that two proofs that say the same are the same. */
const meaning = ({ leaf, other, path }: BoxProof): string => JSON.stringify([leaf, other, path])

for (const [name, spoil] of Object.entries(spoilt))
  test(`a spoilt proof is refused: ${name}`, () => {
    let refused = 0
    fc.assert(
      fc.property(statesArb(30), fc.nat(), (states, n) => {
        const { nodes, root } = mapOf(states)
        for (const box of [...states.map((state) => state.box), 'not there', `neither ${n}`]) {
          const proof = proveBox(nodes, root, box)
          const other = spoil(proof, n)
          if (meaning(other) === meaning(proof)) continue
          refused += 1
          assert.equal(
            verifyBox(box, other, root),
            false,
            JSON.stringify({ states, box, other: meaning(other) }),
          )
        }
      }),
      { numRuns: 40 },
    )
    assert.ok(refused > 20, `only ${refused} were spoilt`)
  })

test('the proof of one box proves nothing of another, nor under another root', () => {
  fc.assert(
    fc.property(statesArb(30), fc.nat(), (states, n) => {
      const { nodes, root } = mapOf(states)
      const boxes = [...states.map(({ box }) => box), 'not there']
      for (const [i, box] of boxes.entries()) {
        const proof = proveBox(nodes, root, box)
        assert.equal(verifyBox(box, proof, flipped(root, n % 256)), false)
        const next = boxes[(i + 1) % boxes.length] ?? box
        const sameWay =
          meaning({ ...proof, leaf: null }) === meaning({ ...proveBox(nodes, root, next), leaf: null })
        if (next !== box && (proof.leaf !== null || !sameWay))
          assert.equal(verifyBox(next, proof, root), false)
      }
    }),
    { numRuns: 40 },
  )
})

test('a leaf that stands lower than it has to proves nothing, although it leads to the root', () => {
  const state = { box: 'A', count: 1, head: '00'.repeat(32), sealed: false }
  const leaf = mapOf([state]).root
  const roots = [hexHashOf(`01${leaf}${EMPTY}`), hexHashOf(`01${EMPTY}${leaf}`)]
  const proof = { leaf: state, other: null, path: [EMPTY] }
  for (const root of roots) assert.equal(verifyBox('A', proof, root), false)
  for (const root of [hexHashOf(`01${EMPTY}${EMPTY}`), EMPTY])
    assert.equal(verifyBox('B', { leaf: null, other: null, path: [EMPTY] }, root), false)
})

test('a leaf at a place to which its key does not lead proves no absence, although it leads to the root', () => {
  const state = (box: string): BoxState => ({ box, count: 1, head: '00'.repeat(32), sealed: false })
  const [left, right] = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].reduce<[string[], string[]]>(
    (sides, box) => {
      sides[(boxKey(box)[0] ?? 0) >> 7]?.push(box)
      return sides
    },
    [[], []],
  )
  const [absent = '', mate = ''] = left
  const [stray = ''] = right
  const [strayLeaf, mateLeaf] = [mapOf([state(stray)]).root, mapOf([state(mate)]).root]
  const root = hexHashOf(`01${strayLeaf}${mateLeaf}`)
  assert.equal(verifyBox(absent, { leaf: null, other: state(stray), path: [mateLeaf] }, root), false)
  const sound = hexHashOf(`01${mateLeaf}${strayLeaf}`)
  assert.ok(verifyBox(absent, { leaf: null, other: state(mate), path: [strayLeaf] }, sound))
})

const stateOf = (i: number, count: number): BoxState => ({
  box: `box ${i}`,
  count,
  head: i.toString(16).padStart(64, '0'),
  sealed: false,
})

test('an update needs and adds only what stands on the ways to the boxes that it changes', () => {
  const map = mapOf(Array.from({ length: 4096 }, (_, i) => stateOf(i, 1)))
  const { length } = proveBox(map.nodes, map.root, 'box 17').path
  const [whole, way] = [map.nodes, new MapNodes()]
  for (let at = map.root; ; ) {
    way.take({ value: at, bytes: map.stored.get(at) ?? '' })
    const entry = whole.entryAt(at)
    if (entry === null || 'state' in entry) break
    at = childOf(entry.halves, boxKey('box 17'), way.size - 1)
  }
  assert.equal(way.size, length + 1)
  const { added } = updateMap(way, map.root, [stateOf(17, 2)])
  assert.equal(added.length, length + 1)
  assert.ok(length < 40)
})

test('two states of one box in an update, a node that is missing and one that is damaged are refused', () => {
  const state = stateOf(1, 1)
  assert.throws(() => mapOf([state, { ...state, count: 2 }]), RangeError)
  const { stored, root } = mapOf([state])
  assert.throws(() => proveBox(new MapNodes(), root, 'A'), /lacks node/)
  const bytes = stored.get(root) ?? ''
  const damaged = bytes.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
  assert.throws(() => new MapNodes([{ value: root, bytes: damaged }]), /damaged/)
})
