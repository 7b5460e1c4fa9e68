import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHex } from './digest.ts'
import { recordHash } from './record.ts'
import { stateOf } from './testing/shop.ts'
import { codesOf, threeAnchors } from './testing/three-anchors.ts'
import { verifyBundle } from './verify.ts'

test('a sealed box stays verified when later anchors leave it out', async () => {
  const shop = threeAnchors()
  shop.append('A', 'seal')
  shop.anchor()
  shop.append('B', 'catch')
  shop.anchor()
  const result = await verifyBundle(shop.bundleOf('A'), shop.ledger())
  assert.equal(result.verdict, 'verified')
  assert.equal(result.sealed, true)
})

test('a record behind the seal is broken, whether anchored or not', async () => {
  const shop = threeAnchors()
  shop.append('A', 'seal')
  shop.append('A', 'tracking')
  const pending = await verifyBundle(shop.bundleOf('A'), shop.ledger())
  assert.deepEqual([pending.verdict, codesOf(pending)], ['broken', ['record_after_seal']])
  shop.anchor()
  const anchored = await verifyBundle(shop.bundleOf('A'), shop.ledger())
  assert.equal(anchored.verdict, 'broken')
  assert.equal(anchored.records[7]?.code, 'record_after_seal')
})

for (const sealed of [true, false])
  test(`an anchor that calls the box ${sealed ? 'closed' : 'open'} although its last record does not: broken`, async () => {
    const shop = threeAnchors()
    shop.append('A', sealed ? 'tracking' : 'seal')
    shop.anchorStates([{ ...stateOf('A', shop.histories.get('A') ?? []), sealed }])
    const result = await verifyBundle(shop.bundleOf('A'), shop.ledger())
    assert.deepEqual([result.verdict, codesOf(result)], ['broken', ['seal_mismatch']])
    assert.equal(result.records[6]?.verdict, 'broken')
  })

test('a record behind a seal whose content was erased: broken', async () => {
  const shop = threeAnchors()
  const seal = shop.append('A', 'seal')
  shop.anchor()
  shop.append('A', 'tracking')
  const bundle = shop.bundleOf('A')
  const erased = { seq: seal.seq, recordHash: toHex(recordHash(seal)), withheld: true } as const
  const result = await verifyBundle({ ...bundle, records: bundle.records.with(6, erased) }, shop.ledger())
  assert.deepEqual([result.verdict, codesOf(result)], ['broken', ['record_after_seal']])
})
