import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createElement, type ReactNode } from 'react'
import { FragmentCache } from './fragment-cache.ts'

const snapper = { title: 'Snapper', price: '€' }
const text = (words: string) => createElement('p', { title: 'a & b' }, words, ' here, 38 €')

function Broken(): never {
  throw new Error('broken')
}

/** One page with one fragment, between an ä and an ö. */
const page = (cache: FragmentCache, of: object, variant: string, children: ReactNode): string =>
  cache.renderPage((source) => `ä${source(of, variant, children) ?? 'not yet'}ö`).toString()

test('a fragment is rendered once for each object and variant, as it would be in its page', () => {
  const cache = new FragmentCache()
  assert.equal(page(cache, snapper, 'today', text('fresh')), 'änot yetö')
  const filled = 'ä<p title="a &amp; b">fresh<!-- --> here, 38 €</p>ö'
  assert.equal(page(cache, snapper, 'today', text('not rendered')), filled)
  assert.equal(page(cache, snapper, 'tomorrow', text('older')), 'änot yetö')
  const newer = { ...snapper }
  assert.equal(page(cache, newer, 'today', text('changed')), 'änot yetö', 'a newer object is another one')
  assert.match(page(cache, snapper, 'tomorrow', null), /older/)
  assert.equal(page(cache, snapper, 'today', null), filled)
})

test('each fragment goes where its mark is, in whatever order they were asked for', () => {
  const cache = new FragmentCache()
  const boxes = ['snapper', 'mulloway', 'a page without any'].map((title) => ({ title }))
  const titles = (source: (of: object, variant: string, children: ReactNode) => string | undefined) =>
    boxes.slice(0, 2).map((box) => source(box, '', box.title))
  cache.renderPage((source) => titles(source).join())
  const html = cache.renderPage((source) => {
    const [first, second] = titles(source)
    return `1. ${second} 2. ${first} 3. ${second} <fragment 1> and 0>`
  })
  assert.equal(html.toString(), '1. mulloway 2. snapper 3. mulloway <fragment 1> and 0>')
  assert.equal(cache.renderPage(() => '').length, 0)
})

test('what can’t be rendered is left to its page and spoils no other', () => {
  const cache = new FragmentCache()
  cache.renderPage(
    (source) => `${source({}, '', createElement(Broken))}${source(snapper, '', text('fresh'))}`,
  )
  assert.equal(cache.size, 1)
  assert.throws(() => cache.renderPage(() => Broken()), /broken/)
  assert.match(page(cache, snapper, '', null), /fresh/)
})

test('the cache keeps a bounded number of objects and of their variants', () => {
  const cache = new FragmentCache()
  for (let day = 0; day < 9; day++) page(cache, snapper, `day ${day}`, text('fresh'))
  assert.match(page(cache, snapper, 'day 8', null), /fresh/)
  assert.equal(page(cache, snapper, 'day 0', text('fresh')), 'änot yetö')
  for (let i = 0; i < 2_500; i += 100)
    cache.renderPage((source) => Array.from({ length: 100 }, (_, j) => source({ i: i + j }, '', i)).join())
  assert.equal(cache.size, 1_000)
  assert.equal(page(cache, snapper, 'day 8', null), 'änot yetö', 'the oldest went')
})
