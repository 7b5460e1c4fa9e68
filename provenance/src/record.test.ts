import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseBundle } from './bundle.ts'
import { FormatError } from './format-error.ts'
import { MAX_COUNT, MAX_DATA_DEPTH, parseRecord, parseRestrictedPart, recordKinds } from './record.ts'

const record = {
  v: 1,
  box: '0345579444',
  seq: 4,
  kind: 'tracking',
  at: '2026-11-21 09:30:00',
  by: 'iot-7',
  data: { temperature: 1.5 },
  salt: '00112233445566778899aabbccddeeff',
}

test('a record with exactly its fields is taken as it is', () => {
  assert.deepEqual(parseRecord(record), record)
  const withRestricted = { ...record, restricted: 'ab'.repeat(32) }
  assert.deepEqual(parseRecord(withRestricted), withRestricted)
  for (const kind of recordKinds) assert.equal(parseRecord({ ...record, kind }).kind, kind)
})

test('a field missing or too many is refused with its path', () => {
  for (const name of Object.keys(record)) {
    const rest = Object.fromEntries(Object.entries(record).filter(([key]) => key !== name))
    assert.throws(() => parseRecord(rest), { name: 'FormatError', path: `$.${name}` })
  }
  assert.throws(() => parseRecord({ ...record, txHash: '0x' }, '$.records[3]'), {
    path: '$.records[3].txHash',
  })
})

for (const [name, value] of [
  ['v', 2],
  ['v', '1'],
  ['box', ''],
  ['box', 'x'.repeat(201)],
  ['box', '\ud800'],
  ['box', 7],
  ['seq', 0],
  ['seq', 1.5],
  ['seq', '1'],
  ['seq', MAX_COUNT + 1],
  ['kind', 'Catch'],
  ['kind', null],
  ['at', 'yesterday'],
  ['by', null],
  ['data', []],
  ['data', null],
  ['data', { a: Number.NaN }],
  ['data', { a: undefined }],
  ['data', { a: 'x'.repeat(1024 * 1024) }],
  ['salt', 'AB'.repeat(16)],
  ['salt', 'ab'.repeat(15)],
  ['salt', `${'ab'.repeat(16)}\n`],
  ['restricted', 'AB'.repeat(32)],
  ['restricted', undefined],
] as const)
  test(`${name} ${JSON.stringify(value)?.slice(0, 30)} is refused`, () => {
    assert.throws(() => parseRecord({ ...record, [name]: value }), FormatError)
  })

test('the path of a bad value inside data is told', () => {
  assert.throws(() => parseRecord({ ...record, data: { list: [1, Number.NaN] } }), { path: '$.data.list[1]' })
})

test('data is copied: a later change does not reach the parsed record', () => {
  const data = { temperature: 1 }
  const parsed = parseRecord({ ...record, data })
  data.temperature = 9
  assert.deepEqual(parsed.data, { temperature: 1 })
})

test('a restricted part has data and salt and nothing else', () => {
  const part = { data: { fisherAddress: 'Sample Street' }, salt: record.salt }
  assert.deepEqual(parseRestrictedPart(part), part)
  for (const odd of [{ data: {} }, { ...part, box: '1' }, { ...part, salt: '' }])
    assert.throws(() => parseRestrictedPart(odd), FormatError)
})

test('data nested as deep as a record may be still fits into a bundle', () => {
  const nested = (depth: number): unknown => (depth === 1 ? {} : { in: nested(depth - 1) })
  const deepest = parseRecord({ ...record, data: nested(MAX_DATA_DEPTH) })
  const ledger = { chainId: 1, contract: `0x${'0'.repeat(40)}`, rpc: 'https://example.org' }
  parseBundle({ v: 2, box: record.box, records: [deepest], ledger, anchors: [] })
  assert.throws(() => parseRecord({ ...record, data: nested(MAX_DATA_DEPTH + 1) }), /nested too deep/)
})
