import assert from 'node:assert/strict'
import test from 'node:test'
import { orderQuery } from './order-query.ts'

const slot = '0b6f2b4e-7f0c-4a52-9a3e-0c1c6d1c2d3e'

for (const [search, query] of [
  ['', { page: 1, status: 'open' }],
  ['status=all&page=3', { page: 3 }],
  [
    `status=READY&q=lee&slot=${slot}&day=2026-11-24`,
    { page: 1, q: 'lee', status: 'READY', slot, day: '2026-11-24' },
  ],
  ['status=NEW&slot=x&day=2026-02-30&page=-1', { page: 1, status: 'open' }],
] as const)
  test(`the queue at ?${search}`, () => {
    assert.deepEqual(orderQuery(new URLSearchParams(search)), query)
  })
