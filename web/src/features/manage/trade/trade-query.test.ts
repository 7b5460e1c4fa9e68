import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tradeQuery } from './trade-query.ts'

test('a URL asks for boxes, for days, or for nothing yet', () => {
  const of = (query: string) => tradeQuery(new URLSearchParams(query))
  assert.deepEqual(of(''), { choice: null, page: 1 })
  assert.deepEqual(of('box=A-1,%20B-2%0AC-3;&from=2026-11-01'), { choice: { box: 'A-1,B-2,C-3' }, page: 1 })
  assert.deepEqual(of('from=2026-11-01&to=&page=3'), { choice: { from: '2026-11-01', to: '' }, page: 3 })
})
