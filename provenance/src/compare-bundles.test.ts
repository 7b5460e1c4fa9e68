import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareBundles } from './check-records.ts'
import { Shop, stateOf } from './testing/shop.ts'

/** Box A with three records in two anchors, and B beside it. */
function shop(): Shop {
  const made = new Shop()
  for (const box of ['A', 'B']) made.append(box, 'registration')
  made.anchor()
  made.append('A', 'tracking', { temperature: 2 })
  made.append('A', 'tracking', { temperature: 3 })
  made.anchor()
  return made
}

const codes = (...[one, other]: Parameters<typeof compareBundles>) =>
  compareBundles(one, other).map(({ code, seq, anchor }) => [code, seq ?? anchor])

test('an older and a newer bundle of one history are no forks, in either order', () => {
  const made = shop()
  const old = made.bundleOf('A')
  made.append('A', 'tracking')
  const pending = made.bundleOf('A')
  made.anchor()
  const grown = made.bundleOf('A')
  for (const [one, other] of [
    [old, old],
    [old, pending],
    [old, grown],
    [pending, grown],
  ] as const)
    assert.deepEqual([codes(one, other), codes(other, one)], [[], []])
})

test('a record that is another one in the newer bundle is a fork from there on', () => {
  const made = shop()
  const old = made.bundleOf('A')
  const history = (made.histories.get('A') ?? []).map((record) =>
    record.seq === 2 ? { ...record, data: { temperature: 0.1 } } : record,
  )
  made.histories.set('A', history)
  made.append('A', 'tracking')
  made.anchorStates([stateOf('A', made.histories.get('A') ?? [])])
  assert.deepEqual(codes(old, made.bundleOf('A')), [['forked', 2]])
})

test('two roots at one index are a fork, that of the state before too; on another ledger they are none', () => {
  const made = shop()
  const bundle = made.bundleOf('A')
  const otherRoot = {
    ...bundle,
    anchors: bundle.anchors.map((anchor) => ({ ...anchor, root: 'ab'.repeat(32) })),
  }
  assert.deepEqual(codes(bundle, otherRoot), [
    ['forked', 0],
    ['forked', 1],
  ])
  const elsewhere = { ...otherRoot, ledger: { ...otherRoot.ledger, contract: `0x${'1'.repeat(40)}` } }
  assert.deepEqual(codes(bundle, elsewhere), [])
  const [, second] = bundle.anchors
  assert.ok(second)
  const before = { ...made.proofOf(0, 'A'), root: 'ab'.repeat(32) }
  assert.deepEqual(codes(bundle, { ...bundle, anchors: [{ ...second, before }] }), [['forked', 0]])
})

test('bundles of two boxes can not be compared', () => {
  const made = shop()
  assert.throws(() => compareBundles(made.bundleOf('A'), made.bundleOf('B')), RangeError)
})
