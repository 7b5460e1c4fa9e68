import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createElement } from 'react'
import { FragmentCache } from './fragment-cache.ts'

const snapper = { title: 'Snapper' }
const text = (words: string) => createElement('p', { title: 'a & b' }, words, ' here')

function Broken(): never {
  throw new Error('broken')
}

test('a fragment is rendered once for each object and variant, as it would be in its page', () => {
  const cache = new FragmentCache()
  assert.equal(cache.source(snapper, 'today', text('fresh')), undefined)
  cache.renderMissing()
  const html = '<p title="a &amp; b">fresh<!-- --> here</p>'
  assert.equal(cache.source(snapper, 'today', text('not rendered')), html)
  assert.equal(cache.source(snapper, 'tomorrow', text('older')), undefined)
  assert.equal(
    cache.source({ ...snapper }, 'today', text('changed')),
    undefined,
    'a newer object is another one',
  )
  cache.renderMissing()
  assert.match(cache.source(snapper, 'tomorrow', null) ?? '', /older/)
  assert.equal(cache.source(snapper, 'today', null), html)
})

test('what can’t be rendered is left to its page and spoils no other', () => {
  const cache = new FragmentCache()
  cache.source({}, '', createElement(Broken))
  cache.source(snapper, '', text('fresh'))
  cache.renderMissing()
  assert.equal(cache.size, 1)
})

test('the cache keeps a bounded number of objects and of their variants', () => {
  const cache = new FragmentCache()
  for (let day = 0; day < 9; day++) {
    cache.source(snapper, `day ${day}`, text('fresh'))
    cache.renderMissing()
  }
  assert.equal(cache.source(snapper, 'day 0', null), undefined)
  assert.notEqual(cache.source(snapper, 'day 8', null), undefined)
  for (let i = 0; i < 2_500; i++) {
    cache.source({ i }, '', i)
    if (i % 100 === 0) cache.renderMissing()
  }
  cache.renderMissing()
  assert.equal(cache.size, 1_000)
  assert.equal(cache.source(snapper, 'day 8', null), undefined, 'the oldest went')
})
