import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHex } from './digest.ts'
import { recordHash, restrictedHash } from './record.ts'
import { Shop } from './testing/shop.ts'
import { codesOf, threeAnchors, verdictsOf, withChanged } from './testing/three-anchors.ts'
import type { VerifyStep } from './verdict.ts'
import { verifySteps } from './verdict.ts'
import { verifyBundle } from './verify.ts'

test('a whole history is verified, each record with the first anchor that covers it', async () => {
  const shop = threeAnchors()
  const result = await verifyBundle(shop.bundleOf('A'), shop.ledger())
  assert.equal(result.verdict, 'verified')
  assert.deepEqual(result.reasons, [])
  assert.deepEqual(verdictsOf(result), Array(6).fill('anchored'))
  assert.deepEqual(
    result.records.map(({ anchor }) => anchor?.txHash),
    [0, 0, 1, 2, 2, 2].map((index) => shop.file().anchors[index]?.txHash),
  )
})

test('a box that stood still is verified by the newest anchor and named by the first', async () => {
  const shop = threeAnchors()
  const bundle = shop.bundleOf('B')
  assert.deepEqual(
    bundle.anchors.map(({ index }) => index),
    [0, 2],
  )
  const result = await verifyBundle(bundle, shop.ledger())
  assert.equal(result.verdict, 'verified')
  assert.equal(result.records[0]?.anchor?.index, 0)
})

test('each step is told once, in order, with what it counted', async () => {
  const shop = threeAnchors()
  const steps: VerifyStep[] = []
  await verifyBundle(shop.bundleOf('A'), shop.ledger(), { onStep: (step) => steps.push(step) })
  assert.deepEqual(
    steps.map(({ name }) => name),
    [...verifySteps],
  )
  assert.deepEqual(
    steps.map(({ ok }) => ok),
    Array(6).fill(true),
  )
  assert.deepEqual(
    steps.map(({ count }) => count),
    [6, 6, 3, 3, 3, 3],
  )
})

test('a changed record breaks its segment, and the ones before and after stay proven', async () => {
  const shop = threeAnchors()
  const result = await verifyBundle(withChanged(shop.bundleOf('A'), 3, { by: 'someone' }), shop.ledger())
  assert.equal(result.verdict, 'broken')
  assert.deepEqual(verdictsOf(result), ['anchored', 'anchored', 'broken', 'anchored', 'anchored', 'anchored'])
  assert.equal(result.upTo, 2)
  assert.match(result.reasons[0]?.words ?? '', /^Record 3 was changed/)
})

test('where several records share an anchor, the words name all that it may be', async () => {
  const shop = threeAnchors()
  const result = await verifyBundle(withChanged(shop.bundleOf('A'), 5, { by: 'someone' }), shop.ledger())
  assert.deepEqual(verdictsOf(result), ['anchored', 'anchored', 'anchored', 'broken', 'broken', 'broken'])
  assert.match(result.reasons[0]?.words ?? '', /^A record between 4 and 6 was changed/)
})

test('records after the newest anchor are pending, and the box is verified up to the last proven one', async () => {
  const shop = threeAnchors()
  shop.append('A', 'freshness', { freshnessIndex: 0.2 })
  const result = await verifyBundle(shop.bundleOf('A'), shop.ledger())
  assert.equal(result.verdict, 'verified-up-to')
  assert.equal(result.upTo, 6)
  assert.equal(result.records[6]?.verdict, 'pending')
  assert.equal(result.records[6]?.anchor, null)
})

test('a box that no anchor covers yet is never called verified', async () => {
  const shop = threeAnchors()
  shop.append('D', 'registration')
  const result = await verifyBundle(shop.bundleOf('D'), shop.ledger())
  assert.equal(result.verdict, 'verified-up-to')
  assert.equal(result.upTo, 0)
})

test('a record of another box in an anchored history: broken', async () => {
  const shop = threeAnchors()
  const stray = { ...shop.append('A', 'tracking'), box: 'B' }
  shop.histories.set('A', (shop.histories.get('A') ?? []).with(6, stray))
  shop.anchor()
  const result = await verifyBundle(shop.bundleOf('A'), shop.ledger())
  assert.deepEqual([result.verdict, codesOf(result)], ['broken', ['record_of_other_box']])
})

test('a forged record beside the true one of its number is broken and never called anchored', async () => {
  const shop = threeAnchors()
  const bundle = shop.bundleOf('A')
  const forged = withChanged(bundle, 3, { by: 'someone' }).records.slice(2, 3)
  const result = await verifyBundle(
    { ...bundle, records: bundle.records.toSpliced(3, 0, ...forged) },
    shop.ledger(),
  )
  assert.deepEqual([result.verdict, codesOf(result)], ['broken', ['record_out_of_place']])
  assert.deepEqual(verdictsOf(result).slice(2, 5), ['anchored', 'broken', 'anchored'])
})

test('records that are shown in another order than they were written: broken', async () => {
  const shop = threeAnchors()
  const bundle = shop.bundleOf('A')
  const [first, second, ...rest] = bundle.records
  assert.ok(first && second)
  const result = await verifyBundle({ ...bundle, records: [second, first, ...rest] }, shop.ledger())
  assert.deepEqual([result.verdict, codesOf(result)], ['broken', ['record_out_of_place']])
})

test('a hole among the pending records: broken, not verified up to it', async () => {
  const shop = threeAnchors()
  shop.append('A', 'tracking')
  shop.append('A', 'tracking')
  const bundle = shop.bundleOf('A')
  const result = await verifyBundle({ ...bundle, records: bundle.records.toSpliced(6, 1) }, shop.ledger())
  assert.deepEqual([result.verdict, codesOf(result)], ['broken', ['record_missing']])
})

test('a withheld record keeps the history verified and is said to be withheld', async () => {
  const shop = threeAnchors()
  const bundle = shop.bundleOf('A')
  const records = bundle.records.map((record) =>
    record.seq === 2 && 'salt' in record
      ? { seq: 2, recordHash: toHex(recordHash(record)), withheld: true }
      : record,
  )
  const result = await verifyBundle({ ...bundle, records }, shop.ledger())
  assert.equal(result.verdict, 'verified')
  assert.deepEqual(verdictsOf(result).slice(0, 3), ['anchored', 'withheld', 'anchored'])
  assert.equal(result.records[1]?.withheld, true)
})

test('a withheld record with another hash is broken', async () => {
  const shop = threeAnchors()
  const bundle = shop.bundleOf('A')
  const forged = { seq: 3, recordHash: '00'.repeat(32), withheld: true }
  const result = await verifyBundle(
    { ...bundle, records: bundle.records.with(2, { ...forged, withheld: true }) },
    shop.ledger(),
  )
  assert.equal(result.verdict, 'broken')
  assert.equal(result.records[2]?.verdict, 'broken')
})

test('a restricted part shown to an inspector is the one in the record, and no other is', () => {
  const part = { data: { fisherAddress: 'Sample Street 1' }, salt: 'ab'.repeat(16) }
  const record = { ...new Shop().append('A', 'registration'), restricted: toHex(restrictedHash(part)) }
  assert.equal(record.restricted, toHex(restrictedHash(part)))
  assert.notEqual(
    record.restricted,
    toHex(restrictedHash({ ...part, data: { fisherAddress: 'Sample Street 2' } })),
  )
})

test('whatever the bundle is, the answer is a verdict and not an exception', async () => {
  const shop = threeAnchors()
  const trap = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new TypeError('trap')
      },
    },
  )
  const odd = [
    undefined,
    null,
    0,
    '',
    'x',
    [],
    {},
    trap,
    {
      get v() {
        throw new Error('getter')
      },
    },
    { v: 1 },
    new Map(),
    1n,
  ]
  for (const bundle of odd) {
    const result = await verifyBundle(bundle, shop.ledger())
    assert.deepEqual([result.verdict, codesOf(result), result.records], ['broken', ['malformed'], []])
  }
})
