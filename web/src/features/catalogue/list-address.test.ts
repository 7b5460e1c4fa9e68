import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryText, tidied, toggled } from './list-address.ts'

const params = (query: string) => new URLSearchParams(query)

test('a choice is added to those of its kind or taken off, on the first page, in a sorted address', () => {
  for (const [before, kind, value, after] of [
    ['', 'cut', 'whole', '?cut=whole'],
    ['stock=in&page=3&cut=whole', 'cut', 'fillets', '?cut=fillets,whole&stock=in'],
    ['fresh=4', 'fresh', '5', '?fresh=5'],
    ['category=Fish', 'category', 'Oysters', '?category=Oysters'],
    ['bestBy=2026-11-24', 'bestBy', '2026-11-26', '?bestBy=2026-11-26'],
  ] as const)
    assert.equal(toggled(params(before), { kind, value, isChosen: false }), after)
  for (const [before, kind, value, after] of [
    ['cut=fillets%2Cwhole&q=', 'cut', 'whole', '?cut=fillets'],
    ['tracked=yes', 'tracked', 'yes', '?'],
    ['fresh=2&sort=name', 'fresh', '4', '?sort=name'],
    ['category=oysters', 'category', 'Oysters', '?'],
  ] as const)
    assert.equal(toggled(params(before), { kind, value, isChosen: true }), after)
})

test('what says nothing leaves an address, and one that has nothing of it stays', () => {
  for (const [before, after] of [
    ['q=&category=Fish&cut=', 'category=Fish'],
    ['cut=whole&cut=fillets,whole', 'cut=fillets,whole'],
    ['origin=,', ''],
  ] as const)
    assert.equal(tidied(params(before)), after)
  for (const tidy of [
    '',
    'stock=in&category=Fish',
    'q=a%2Cb',
    'cut=fillets,whole',
    'cut=fillets%2Cwhole&x=1',
  ])
    assert.equal(tidied(params(tidy)), null, tidy)
  const [, again = ''] = toggled(params('cut=whole'), { kind: 'cut', value: 'live', isChosen: false }).split(
    '?',
  )
  assert.equal(tidied(params(again)), null, 'our own links lead to no other')
  assert.equal(queryText(params('b=1&a=2,3&c=')), 'a=2,3&b=1')
})
