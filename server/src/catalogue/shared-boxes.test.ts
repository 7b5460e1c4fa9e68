import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Share, SharedBoxes } from './shared-boxes.ts'

const products = ['p', 'q', 'r', 's']
const boxes = ['A', 'B', 'C']

const someShares = fc.uniqueArray(
  fc.record({
    product: fc.constantFrom(...products),
    box: fc.constantFrom(...boxes),
    most: fc.oneof(fc.nat(9), fc.constant(Number.POSITIVE_INFINITY)),
  }),
  { selector: ({ product, box }) => `${product} ${box}`, minLength: 1 },
)
const amounts = (names: readonly string[]) =>
  fc.tuple(...names.map(() => fc.nat(9))).map((of) => new Map(names.map((name, i) => [name, of[i] ?? 0])))

/** The most that all get together: the smallest cut, over all sets of products. */
function mostOf(
  left: ReadonlyMap<string, number>,
  shares: readonly Share[],
  wanted: ReadonlyMap<string, number>,
) {
  const cuts = Array.from({ length: 2 ** products.length }, (_, set) => {
    const inside = products.filter((_, i) => set & (1 << i))
    const outside = products.filter((one) => !inside.includes(one))
    const wantedOutside = outside.reduce((sum, one) => sum + (wanted.get(one) ?? 0), 0)
    return boxes.reduce((sum, box) => {
      const most = shares.filter((one) => one.box === box && inside.includes(one.product))
      const given = most.reduce((all, one) => all + one.most, 0)
      return sum + Math.min(left.get(box) ?? 0, given)
    }, wantedOutside)
  })
  return Math.min(...cuts)
}

test('of a product there is as much as can be taken without taking anything from others', () => {
  fc.assert(
    fc.property(amounts(boxes), someShares, amounts(products), (left, shares, wanted) => {
      const shared = new SharedBoxes(left, shares)
      const rooms = shared.roomsOf(products, wanted)
      const before = mostOf(left, shares, wanted)
      for (const product of products) {
        const own = wanted.get(product) ?? 0
        let more = 0
        while (mostOf(left, shares, new Map([...wanted, [product, own + more + 1]])) === before + more + 1)
          more++
        assert.equal(Math.max(0, (rooms.get(product) ?? 0) - own), more, product)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('where less is there than is wanted, all get together what there is', () => {
  const shared = new SharedBoxes(new Map([['A', 10]]), [
    { product: 'p', box: 'A', most: 8 },
    { product: 'q', box: 'A', most: 8 },
  ])
  const rooms = shared.roomsOf(['p', 'q'], new Map(products.map((one) => [one, 8])))
  assert.equal((rooms.get('p') ?? 0) + (rooms.get('q') ?? 0), 10)
  assert.deepEqual(shared.near('p').sort(), ['p', 'q'])
})

test('a chain of a thousand products that share boxes is answered in one go', () => {
  const names = Array.from({ length: 1_000 }, (_, i) => `p${i}`)
  const left = new Map(names.map((_, i) => [`b${i}`, 1_000]))
  const shares = names.flatMap((product, i) => [
    { product, box: `b${i}`, most: Number.POSITIVE_INFINITY },
    { product, box: `b${(i + 1) % 1_000}`, most: 700 },
  ])
  const rooms = new SharedBoxes(left, shares).roomsOf(['p0'], new Map(names.map((one) => [one, 900])))
  assert.ok((rooms.get('p0') ?? 0) > 900)
})
