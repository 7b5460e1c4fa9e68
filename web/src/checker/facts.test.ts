import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Shop } from '@befaqt/provenance/testing/shop'
import { verifyBundle } from '@befaqt/provenance/verify'
import { factsOf } from './facts.ts'

const ZONE = 'Australia/Sydney'
const caught = {
  time: '2026-11-20 20:00:00',
  boat: 'Sample Boat',
  latitude: -33.6,
  longitude: 151.9,
  method: 'Handline',
  species: 'Snapper',
}
const reading = (temperature: unknown, minute = 0) => ({
  time: `2026-11-21 00:${String(minute).padStart(2, '0')}:00`,
  latitude: -33.6,
  longitude: 151.9,
  iotID: 'device-1',
  temperature: temperature as number,
})

test('facts are made of proven records alone: what waits, what was withheld and what has another shape is left out', async () => {
  const shop = new Shop()
  shop.append('A', 'registration', { traderName: 'Sample', companyName: '', boat: '', sample: true })
  shop.append('A', 'catch', caught)
  shop.append('A', 'tracking', reading(2))
  shop.append('A', 'tracking', reading('warm'))
  shop.append('A', 'tracking', { ...reading(3), latitude: 1e9 })
  shop.append('A', 'correction', { corrects: 3, reason: 'typed wrong', data: reading(4) })
  shop.anchor()
  shop.append('A', 'tracking', reading(30, 10))
  shop.append('A', 'recall', { reason: 'not proven yet' })
  const bundle = shop.bundleOf('A')
  const result = await verifyBundle(bundle, shop.ledger())
  assert.equal(result.verdict, 'verified-up-to')
  const proven = factsOf(bundle, result, ZONE, 'proven')
  assert.deepEqual([proven.records, proven.leftOut], [6, 2])
  assert.deepEqual(
    proven.readings.map(({ temperature }) => temperature),
    [4],
    'as corrected, and no other',
  )
  assert.deepEqual(
    [
      proven.recall,
      proven.isSample,
      proven.sealed,
      proven.caught?.species,
      proven.metrics.coldChain?.highest,
    ],
    [null, true, false, 'Snapper', 4],
  )
  const claimed = factsOf(bundle, result, ZONE, 'all')
  assert.deepEqual(
    [claimed.records, claimed.readings.length, claimed.recall?.reason],
    [8, 2, 'not proven yet'],
  )

  const [first] = result.records
  const withheld = {
    ...bundle,
    records: [
      { seq: 1, recordHash: first?.recordHash ?? '', withheld: true as const },
      ...bundle.records.slice(1),
    ],
  }
  const left = factsOf(withheld, await verifyBundle(withheld, shop.ledger()), ZONE, 'proven')
  assert.deepEqual([left.fisher, left.records], [null, 5])
})

test('of a box without anything there are no facts, and of one that is broken none is proven', async () => {
  const shop = new Shop()
  shop.append('A', 'tracking', reading(2))
  shop.anchor()
  const bundle = shop.bundleOf('A')
  const forged = JSON.parse(JSON.stringify(bundle).replace('"temperature":2', '"temperature":1'))
  const facts = factsOf(forged, await verifyBundle(forged, shop.ledger()), ZONE, 'proven')
  assert.deepEqual([facts.records, facts.leftOut, facts.readings, facts.caught], [0, 1, [], null])
})
