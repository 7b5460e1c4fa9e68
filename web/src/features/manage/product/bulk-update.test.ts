import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readBulkUpdate } from './bulk-update.ts'

const nothing = { status: '', stock: '', way: '', amount: '' }

const asked = [
  [{ ...nothing, status: 'INACTIVE' }, { status: 'INACTIVE' }],
  [{ ...nothing, stock: '0' }, { stock: 0 }],
  [{ ...nothing, stock: '1,200' }, { stock: 1200 }],
  [{ ...nothing, way: 'value', amount: '$12.50' }, { priceValue: 12.5 }],
  [{ ...nothing, way: 'delta', amount: '-2' }, { priceDelta: -2 }],
  [{ ...nothing, way: 'percent', amount: '10' }, { priceFactor: 1.1 }],
  [
    { ...nothing, way: 'percent', amount: '-25', stock: '5' },
    { priceFactor: 0.75, stock: 5 },
  ],
] as const

for (const [form, set] of asked)
  test(`${JSON.stringify(form)} becomes ${JSON.stringify(set)}`, () =>
    assert.deepEqual(readBulkUpdate(form), { set, errors: {} }))

const wrong = [
  [nothing, 'status'],
  [{ ...nothing, stock: '-1' }, 'stock'],
  [{ ...nothing, stock: '1.2345' }, 'stock'],
  [{ ...nothing, way: 'value', amount: '' }, 'amount'],
  [{ ...nothing, way: 'value', amount: '-3' }, 'amount'],
  [{ ...nothing, way: 'value', amount: '12,50' }, 'amount'],
  [{ ...nothing, way: 'percent', amount: '2,5' }, 'amount'],
  [{ ...nothing, stock: '1,5' }, 'stock'],
  [{ ...nothing, way: 'delta', amount: '0.001' }, 'amount'],
  [{ ...nothing, way: 'percent', amount: '-101' }, 'amount'],
] as const

for (const [form, field] of wrong)
  test(`${JSON.stringify(form)} is rejected at ${field}`, () =>
    assert.deepEqual(Object.keys(readBulkUpdate(form).errors), [field]))
