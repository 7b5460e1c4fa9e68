import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type BoxRecord,
  genesisHead,
  headAfter,
  type LedgerReader,
  recordHash,
  toHex,
} from '@befaqt/provenance'
import { EMPTY, MapNodes, updateMap } from '@befaqt/provenance/box-map'
import type { ProofBundle } from '@befaqt/provenance/bundle'
import { verifyBundle } from '@befaqt/provenance/verify'
import { pinpoint } from './pinpoint.ts'

const chainId = 1
const contract = `0x${'c'.repeat(40)}`
const txHash = `0x${'a'.repeat(64)}`
const time = '2026-11-21T01:02:03Z'

const record = (seq: number): BoxRecord => ({
  v: 1,
  box: '1',
  seq,
  kind: 'tracking',
  at: '2026-11-21 12:00:00',
  by: 'd',
  data: { temperature: seq },
  salt: '0'.repeat(32),
})

/** A box of five records under one anchor, the chain that holds it, and the records' true hashes. */
function world() {
  const records = [1, 2, 3, 4, 5].map(record)
  const head = records.reduce((before, one) => headAfter(before, recordHash(one)), genesisHead('1'))
  const leaf = { box: '1', count: 5, head: toHex(head), sealed: false }
  const root = updateMap(new MapNodes(), EMPTY, [leaf]).root
  const anchor = { index: 0, root, txHash, blockNumber: 7, time, leaf, path: [], before: null }
  const ledger = { chainId, contract, rpc: 'https://example.org' }
  const bundle: ProofBundle = { v: 2, box: '1', records, ledger, anchors: [anchor] }
  const seconds = Date.parse(time) / 1000
  const event = { index: 0, root, boxes: 1, records: 5, blockNumber: 7, blockTime: seconds }
  const chain: LedgerReader = {
    live: true,
    identity: async () => ({ chainId, contract }),
    count: async () => 1,
    anchorsOf: async (indexes) => indexes.map(() => ({ root, time: seconds, boxes: 1, records: 5 })),
    eventsOf: async (hashes) => hashes.map(() => [event]),
  }
  return { bundle, chain, hashes: records.map((one) => toHex(recordHash(one))) }
}

const alter = (bundle: ProofBundle, seq: number): ProofBundle => ({
  ...bundle,
  records: bundle.records.map((one) => (one.seq === seq ? { ...record(seq), by: 'forger' } : one)),
})

test('one altered record is named, and its neighbours are not suspected', async () => {
  const { bundle, chain, hashes } = world()
  const forged = alter(bundle, 3)
  const found = pinpoint(await verifyBundle(forged, chain), forged, hashes)
  assert.equal(found.verdict, 'broken')
  const verdicts = found.records.map(({ verdict }) => verdict)
  assert.deepEqual(verdicts, ['anchored', 'anchored', 'broken', 'anchored', 'anchored'])
  assert.deepEqual(
    found.reasons.map(({ seq }) => seq),
    [3],
  )
})

test('hashes that do not lead to the ledger clear no record', async () => {
  const { bundle, chain, hashes } = world()
  const forged = alter(bundle, 3)
  const result = await verifyBundle(forged, chain)
  const lies = hashes.with(2, toHex(recordHash({ ...record(3), by: 'forger' })))
  assert.equal(pinpoint(result, forged, lies), result)
  assert.equal(pinpoint(result, forged, hashes.with(0, 'ef'.repeat(32))), result)
  assert.equal(pinpoint(result, forged, hashes.slice(1)), result)
  assert.equal(pinpoint(result, forged, hashes.with(1, 'no hash')), result)
})

test('records that were anchored after the page was loaded do not hide which one was altered', async () => {
  const { bundle, chain, hashes } = world()
  const forged = alter(bundle, 3)
  const anchor = bundle.anchors[0]
  assert.ok(anchor)
  const later = { ...anchor, index: 1, leaf: { ...anchor.leaf, count: 6 } }
  const found = pinpoint(await verifyBundle(forged, chain), { ...forged, anchors: [anchor, later] }, hashes)
  assert.deepEqual(
    found.reasons.map(({ seq }) => seq),
    [3],
  )
})

test('the verdict on a valid history, or one with other errors, stays as it was', async () => {
  const { bundle, chain, hashes } = world()
  const sound = await verifyBundle(bundle, chain)
  assert.equal(pinpoint(sound, bundle, hashes), sound)
  const forged = alter(bundle, 3)
  const anchorless: LedgerReader = { ...chain, eventsOf: async (hashes) => hashes.map(() => []) }
  const doubted = await verifyBundle(forged, anchorless)
  assert.equal(doubted.verdict, 'broken')
  assert.equal(pinpoint(doubted, forged, hashes), doubted)
  const fewer = { ...bundle, records: bundle.records.slice(0, 4) }
  const short = await verifyBundle(fewer, chain)
  assert.equal(pinpoint(short, fewer, hashes), short)
})
