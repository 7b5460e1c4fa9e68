import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readManageQuery, readStage, withParams } from './list-query.ts'

const params = (text: string): URLSearchParams => new URLSearchParams(text)

test('a URL without a query is the first page', () =>
  assert.deepEqual(readManageQuery(params('')), { page: 1 }))

test('a list’s query is in the URL', () =>
  assert.deepEqual(
    readManageQuery(params('q=%20snapper%20&status=DISABLED&category=c1&sort=price&dir=desc&page=3')),
    { page: 3, q: 'snapper', status: 'DISABLED', category: 'c1', sort: 'price', dir: 'desc' },
  ))

test('invalid values are ignored', () => {
  assert.deepEqual(readManageQuery(params('status=GONE&dir=sideways&page=-4&q=')), { page: 1 })
  assert.equal(readManageQuery(params('page=1e99')).page, 1_000_000)
  assert.equal(readStage(params('stage=on+the+moon')), undefined)
  assert.equal(readStage(params('stage=on+the+road')), 'on the road')
})

test('another filter leads back to the first page, another page keeps the filters', () => {
  const now = params('q=tuna&page=4&status=ACTIVE')
  assert.equal(withParams(now, { status: '' }), '?q=tuna')
  assert.equal(withParams(now, { page: '5' }), '?q=tuna&page=5&status=ACTIVE')
  assert.equal(withParams(now, { page: '1' }), '?q=tuna&status=ACTIVE')
})
