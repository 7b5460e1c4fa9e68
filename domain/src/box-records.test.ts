import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Box } from './box.ts'
import { boxOfRecords, recordsOfBox } from './box-records.ts'
import { MARKET_TIME_ZONE as ZONE } from './market-time.ts'
import type { StoredRecord } from './rebuild-box.ts'
import { anyBox, sampleBox } from './testing/boxes.ts'

const submission = { at: '2026-11-20T00:00:00Z', by: 'key:1' }
const kept = (box: Box): StoredRecord[] =>
  recordsOfBox(box, submission).map(({ kind, data }, i) => ({ seq: i + 1, kind, data }))

/** Answers the hash that came in, so that a Box can come back exactly. */
const incoming = (records: readonly StoredRecord[]) => (seq: number) => {
  const { data } = records[seq - 1] ?? {}
  return data instanceof Object && 'txHash' in data && typeof data.txHash === 'string' ? data.txHash : null
}
const pending = (): null => null

test('a Box becomes records and comes back exactly, incoming txHashes kept as data', () => {
  fc.assert(
    fc.property(anyBox, (box) => {
      const records: StoredRecord[] = JSON.parse(JSON.stringify(kept(box)))
      const back = boxOfRecords(box.boxID, records, ZONE, incoming(records))
      assert.equal(JSON.stringify(back), JSON.stringify(box))
    }),
  )
})

test('records are in the order of the protocol, each with the time and author of its source', () => {
  const facts = recordsOfBox(sampleBox(), submission)
  assert.deepEqual(
    facts.map(({ kind, at, by }) => [kind, at, by]),
    [
      ['registration', '2026-11-18 05:10:00', 'T-1'],
      ['catch', '2026-11-18 05:10:00', 'T-1'],
      ['tracking', '2026-11-18 06:00:00', 'L-1'],
      ['tracking', '2026-11-18 07:00:00', 'L-1'],
      ['sensor-result', '2026-11-18 07:00:00', 'Sample operator'],
      ['image-result', '2026-11-19 05:00:00', 'E-eye'],
      ['enose-result', '2026-11-19 05:05:00', 'E-nose'],
      ['freshness', '2026-11-19 05:10:00', 'key:1'],
    ],
  )
})

test('a Box without any date has the date of its submission', () => {
  const bare: Box = {
    ...sampleBox(),
    catchProv: null,
    iotResult: null,
    imageProc: [],
    e_nose: [],
    freshness: [],
  }
  assert.deepEqual(
    recordsOfBox(bare, submission).map(({ kind, at }) => [kind, at]),
    [['registration', submission.at]],
  )
})

test('txHash is the ledger’s, null while pending, never the imported one', () => {
  const records = kept({ ...sampleBox(), freshness: [] })
  for (const record of records) Object.assign(record.data as object, { txHash: '0xforeign' })
  const box = boxOfRecords('b', records, ZONE, (seq) => (seq === 3 ? '0xours' : null))
  const hashes = JSON.stringify(box).match(/"txHash":("[^"]*"|null)/g)
  assert.deepEqual(hashes?.sort(), ['"txHash":"0xours"', ...Array(4).fill('"txHash":null')])
})

test('the newest correction of a record replaces it, with its own transaction', () => {
  const right = { ...sampleBox().catchProv, species: 'Mulloway' }
  const records = [
    ...kept(sampleBox()),
    {
      seq: 9,
      kind: 'correction',
      data: { corrects: 2, reason: 'typo', data: { ...right, species: 'Tailor' } },
    },
    { seq: 10, kind: 'correction', data: { corrects: 2, reason: 'typo', data: right } },
  ]
  const box = boxOfRecords('b', records, ZONE, (seq) => `0x${seq}`)
  assert.deepEqual(box.catchProv, { ...right, txHash: '0x10' })
})

test('a correction or record that does not fit its kind is left out', () => {
  const damaged = kept(sampleBox()).map((record) =>
    record.seq === 3 ? { ...record, data: { time: 5 } } : record,
  )
  const nonsense = [
    { seq: 9, kind: 'correction', data: { corrects: 2, data: { species: 7 } } },
    { seq: 10, kind: 'correction', data: null },
    { seq: 11, kind: 'seal', data: {} },
    { seq: 12, kind: 'unheard-of', data: {} },
  ]
  const box = boxOfRecords('b', [...damaged, ...nonsense], ZONE, pending)
  assert.equal(box.iotResult?.iotTracking.length, 1)
  assert.equal(box.catchProv?.species, 'Snapper')
})

test('after newer readings the sensor result is computed', () => {
  const late = { time: '2026-11-18 08:00:00', latitude: 0, longitude: 0, iotID: 'L-2', temperature: 9.2 }
  const box = boxOfRecords(
    'b',
    [...kept(sampleBox()), { seq: 9, kind: 'tracking', data: late }],
    ZONE,
    pending,
  )
  assert.deepEqual(
    { ...box.iotResult, iotTracking: [] },
    {
      operator: 'L-2',
      iotScore: 0.220833,
      confidence: 1,
      time: '2026-11-18 08:00:00',
      latitude: -30.3,
      longitude: 153.1,
      iotTracking: [],
    },
  )
})

test('the newest reading is chosen in the market’s time zone', () => {
  const at = (time: string) => ({ time, latitude: -32, longitude: 115.8, iotID: time, temperature: 2 })
  const records = ['2026-11-18T09:00:00Z', '2026-11-18 18:00:00'].map((time, i) => ({
    seq: i + 1,
    kind: 'tracking',
    data: at(time),
  }))
  const newestIn = (zone: string) => boxOfRecords('b', records, zone, pending).iotResult?.time
  assert.equal(newestIn(ZONE), '2026-11-18T09:00:00Z')
  assert.equal(newestIn('Australia/Perth'), '2026-11-18 18:00:00')
})

test('a box of which little is known still has the complete shape', () => {
  assert.deepEqual(boxOfRecords('b', [], ZONE, pending), {
    boxID: 'b',
    fisher: { traderID: '', traderName: '', companyName: '', boat: '', address: '' },
    catchProv: null,
    iotResult: null,
    imageProc: [],
    e_nose: [],
    freshness: [],
  })
})
