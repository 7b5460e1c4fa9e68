import assert from 'node:assert/strict'
import test from 'node:test'
import { fishBy } from '@befaqt/domain/api/desk-api'
import {
  exportQuery,
  isOfFish,
  orderQuery,
  readManageQuery,
  readStage,
  reportNames,
  reportQuery,
  tradeQuery,
  withParams,
} from './read.ts'

const params = (text: string): URLSearchParams => new URLSearchParams(text)

test('a URL without a query is the first page', () =>
  assert.deepEqual(readManageQuery(params('')), { size: 50 }))

test('a list’s query is in the URL', () =>
  assert.deepEqual(
    readManageQuery(params('q=%20snapper%20&status=DISABLED&category=c1&sort=price&dir=desc&page=3')),
    { size: 50, q: 'snapper', status: 'DISABLED', category: 'c1', sort: 'price', dir: 'desc' },
  ))

test('invalid values are ignored', () => {
  assert.deepEqual(readManageQuery(params('status=GONE&dir=sideways&page=-4&q=')), { size: 50 })
  assert.deepEqual(readManageQuery(params('page=1e99')), { size: 50 })
  assert.equal(readStage(params('stage=on+the+moon')), undefined)
  assert.equal(readStage(params('stage=on+the+road')), 'on the road')
})

test('another filter leads back to the first page, another page keeps the filters', () => {
  const now = params('q=tuna&after=x&status=ACTIVE')
  assert.equal(withParams(now, { status: '' }), '?q=tuna')
  assert.equal(withParams(now, { status: '', before: 'y' }), '?q=tuna&before=y')
})

const slot = '0b6f2b4e-7f0c-4a52-9a3e-0c1c6d1c2d3e'

for (const [search, query] of [
  ['', { status: 'open' }],
  ['status=all&page=3', {}],
  [`status=READY&q=lee&slot=${slot}&day=2026-11-24`, { q: 'lee', status: 'READY', slot, day: '2026-11-24' }],
  ['status=NEW&slot=x&day=2026-02-30&page=-1', { status: 'open' }],
] as const)
  test(`the queue at ?${search}`, () => {
    assert.deepEqual(orderQuery(new URLSearchParams(search)), query)
  })

test('a URL asks for boxes, for days, or for nothing yet', () => {
  const of = (query: string) => tradeQuery(new URLSearchParams(query))
  assert.equal(of(''), null)
  assert.deepEqual(of('box=A-1,%20B-2%0AC-3;&from=2026-11-01'), { box: 'A-1,B-2,C-3' })
  assert.deepEqual(of('from=2026-11-01&to=&page=3'), { from: '2026-11-01', to: '' })
})

test('a report is asked for by its URL, odd values are left out', () => {
  assert.deepEqual(reportQuery(params('')), { by: 'day', range: {} })
  assert.deepEqual(reportQuery(params('by=species&from=2026-11-01&to=2026-11-31')), {
    by: 'species',
    range: { from: '2026-11-01' },
  })
  assert.equal(reportQuery(params('by=toString')).by, 'day')
  assert.deepEqual(
    Object.keys(reportNames).filter((by) => isOfFish(reportQuery(params(`by=${by}`)).by)),
    [...fishBy],
    'each report of fish is read as one',
  )
})

test('a list is exported as its URL shows it, without what it does not ask for', () => {
  const of = (list: Parameters<typeof exportQuery>[0], text: string) => exportQuery(list, params(text))
  assert.deepEqual(of('order', 'page=3&view=all'), { list: 'order', status: 'open' })
  assert.deepEqual(of('order', 'status=all&q=ann&day=2026-11-27&cols=order.buyer'), {
    ...{ list: 'order', q: 'ann', day: '2026-11-27', cols: 'order.buyer' },
  })
  assert.deepEqual(of('product', 'status=DRAFT&sort=price&dir=desc&stage=landed'), {
    ...{ list: 'product', draft: '1', sort: 'price', dir: 'desc' },
  })
  assert.deepEqual(of('slot', 'kind=delivery&q='), { list: 'slot', kind: 'delivery', when: 'coming' })
  assert.deepEqual(of('offer', 'state=used+up'), { list: 'offer', state: 'used up' })
  assert.deepEqual(of('excursion', 'state=odd&status=ACTIVE'), { list: 'excursion' })
  assert.deepEqual(of('complaint', 'status=complaint&q=BF-1&day=2026-11-27&after=x&cols=order.photos'), {
    ...{ list: 'complaint', q: 'BF-1', cols: 'order.photos' },
  })
  assert.deepEqual(of('complaint', 'status=complaint-check'), { list: 'complaint', state: 'check' })
  assert.deepEqual(of('waiting', 'status=waiting&q=ann&page=2&slot=x'), { list: 'waiting' })
})
