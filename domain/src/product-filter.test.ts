import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProductBox, ProductView } from '@befaqt/domain/catalogue'
import { filterProducts, freshestToday, readFilter } from './product-filter.ts'

const TODAY = '2026-11-22'
const on = (today: string) => ({ today, at: Date.parse(today) })

const boxOf = (freshnessIndex: number | null, catchPlace = 'Eden'): ProductBox => ({
  boxID: 'B',
  freshnessIndex,
  bestBy: null,
  wordFrom: null,
  warm: null,
  coldChain: null,
  stage: 'at market',
  catchPlace,
  catchTime: null,
  method: null,
  boat: null,
  trader: null,
})

const product = (title: string, more: Partial<ProductView> = {}): ProductView => ({
  _id: title,
  title,
  category_id: 'fish',
  imagePaths: [],
  price: 10,
  unit: 'kg',
  includeGST: false,
  discount: 0,
  stock: 5,
  shelfPos: '1',
  status: 'ACTIVE',
  origin: ['Australia'],
  allergens: ['fish'],
  pieceWeight: 450,
  orderLimit: 0,
  step: 0.25,
  preparations: [],
  description: '',
  images: [],
  box: null,
  saleStopped: false,
  ...more,
})

const shelf = [
  product('Snapper', { price: 40, discount: 50, box: boxOf(0.2) }),
  product('Sand whiting', { price: 25, stock: 0, box: boxOf(0.9, 'Ulladulla') }),
  product('Pacific oyster', { price: 19.95, category_id: 'oysters', description: 'Opened to order.' }),
  product('Mulloway', { price: 15, box: boxOf(1.2) }),
]

const shown = (query: string) =>
  filterProducts(shelf, readFilter(new URLSearchParams(query)), on(TODAY), null).map(({ title }) => title)

const everything = shelf.map(({ title }) => title)

test('a URL without a filter shows everything in the shop’s order', () => {
  assert.deepEqual(shown(''), everything)
  assert.deepEqual(shown('q=&category=&fresh=&min=&max=&sort='), everything)
})

test('what a search found stands as it fits, or as the sorting says', () => {
  const places = new Map([
    ['Pacific oyster', 0],
    ['Snapper', 1],
    ['gone meanwhile', 2],
  ])
  const found = (query: string) =>
    filterProducts(shelf, readFilter(new URLSearchParams(query)), on(TODAY), places).map(({ title }) => title)
  assert.deepEqual(found('q=x'), ['Pacific oyster', 'Snapper'])
  assert.deepEqual(found('q=x&sort=name'), ['Pacific oyster', 'Snapper'])
  assert.deepEqual(found('q=x&sort=price-down'), ['Snapper', 'Pacific oyster'])
})

test('price range counts the price after discount, ends included', () => {
  assert.deepEqual(shown('min=15&max=20'), ['Snapper', 'Pacific oyster', 'Mulloway'])
  assert.deepEqual(shown('max=19.95'), ['Pacific oyster', 'Mulloway'])
})

test('a price range the wrong way round is turned', () =>
  assert.deepEqual(shown('min=20&max=15'), shown('min=15&max=20')))

test('prices are parsed as in every other form, and an invalid one is reported', () => {
  assert.deepEqual(shown('min=1,200'), [])
  assert.deepEqual(readFilter(new URLSearchParams('min=$1,200.50')).minCents, 120_050)
  const filter = readFilter(new URLSearchParams('min=12,50&max=20'))
  assert.deepEqual([filter.minCents, filter.maxCents, filter.odd], [null, 2_000, { min: '12,50', max: '' }])
  for (const odd of ['-5', 'abc', '100001'])
    assert.equal(readFilter(new URLSearchParams(`max=${odd}`)).odd.max, odd)
})

test('invalid values are ignored, not rejected', () => {
  for (const odd of ['NaN', '-5', '1e99', 'Infinity', 'abc', '0x', '$', '99999999999999999999'])
    assert.deepEqual(shown(`min=${odd}`), everything, odd)
  for (const odd of ['sort=__proto__', 'sort=price', 'fresh=9', 'fresh=-1', 'fresh=4.5', 'stock=maybe'])
    assert.deepEqual(shown(odd), everything, odd)
  assert.equal(readFilter(new URLSearchParams(`q=${'x'.repeat(5000)}`)).q.length, 100)
})

test('stock, freshness and category are read as they were, and odd ones as none', () => {
  const read = (query: string) => {
    const { inStock, fresh, category } = readFilter(new URLSearchParams(query))
    return [inStock, fresh, category]
  }
  assert.deepEqual(read('stock=in&fresh=2&category=Tuna and Kingfish'), [true, 4, 'tunaandkingfish'])
  assert.deepEqual(read('fresh=5'), [false, 5, ''])
  for (const odd of ['fresh=9', 'fresh=-1', 'fresh=4.5', 'stock=maybe'])
    assert.deepEqual(read(odd), [false, 0, ''])
})

test('what is not chosen is left out, and only what all else leaves is asked for it', () => {
  const asked: number[] = []
  const filter = readFilter(new URLSearchParams('max=20&sort=name'))
  const found = filterProducts(shelf, filter, on(TODAY), null, (place) => asked.push(place) > 1)
  assert.deepEqual(asked, [0, 2, 3])
  assert.deepEqual(
    found.map(({ title }) => title),
    ['Mulloway', 'Pacific oyster'],
  )
})

test('freshest first begins with what can be bought today, and counts by the day', () => {
  /** Used up on that day, at 13 days for the whole shelf life. */
  const until = (over: string): Partial<ProductBox> => {
    const before = (days: number) => new Date(Date.parse(over) - days * 86_400_000).toISOString().slice(0, 10)
    return { bestBy: over, wordFrom: { good: before(8), useSoon: before(4), over } }
  }
  const at = (title: string, box: Partial<ProductBox>, more: Partial<ProductView> = {}) =>
    product(title, { box: { ...boxOf(0.2), ...box }, ...more })
  const products = [
    at('over', { ...until('2026-11-22'), freshnessIndex: 0 }),
    at('unknown', {
      ...until('2026-12-02'),
      warm: { at: '', temperature: 18, unknownFrom: '2026-11-20T00:00:00Z' },
    }),
    product('untracked'),
    at('at sea', { stage: 'at sea', freshnessIndex: 0 }),
    at('sold out', { freshnessIndex: 0.1 }, { stock: 0 }),
    at('soon', { ...until('2026-11-24'), freshnessIndex: 0 }),
    at('good', { ...until('2026-12-01'), freshnessIndex: 0.7 }),
    at('keeps shorter', until('2026-12-04')),
    at('keeps longer', until('2026-12-06')),
  ]
  const filter = readFilter(new URLSearchParams('sort=freshest'))
  const order = (today: string) => filterProducts(products, filter, on(today), null).map(({ title }) => title)
  assert.deepEqual(order(TODAY), [
    ...[
      'keeps longer',
      'keeps shorter',
      'good',
      'soon',
      'at sea',
      'sold out',
      'over',
      'unknown',
      'untracked',
    ],
  ])
  assert.deepEqual(order('2026-12-04').slice(0, 2), ['keeps longer', 'at sea'])
})

test('sorting: freshest first with the unknown last, price up and down, name', () => {
  assert.deepEqual(shown('sort=freshest'), ['Snapper', 'Sand whiting', 'Mulloway', 'Pacific oyster'])
  assert.deepEqual(shown('sort=price-up'), ['Mulloway', 'Pacific oyster', 'Snapper', 'Sand whiting'])
  assert.deepEqual(shown('sort=price-down'), ['Sand whiting', 'Snapper', 'Pacific oyster', 'Mulloway'])
  assert.deepEqual(shown('sort=name'), ['Mulloway', 'Pacific oyster', 'Sand whiting', 'Snapper'])
})

test('freshest today is what is here, in stock, good or better and has a date: the freshest first, one of a box', () => {
  const days = (good: string, useSoon: string, over: string) => ({ good, useSoon, over })
  const boxOn = (boxID: string, more: Partial<ProductBox> = {}): ProductBox => ({
    ...boxOf(0.1),
    boxID,
    bestBy: '2026-12-02',
    wordFrom: days('2026-11-26', '2026-11-29', '2026-12-02'),
    ...more,
  })
  const products = [
    product('untracked'),
    product('good', { box: boxOn('G', { wordFrom: days('2026-11-20', '2026-11-25', '2026-11-28') }) }),
    product('fillet', { box: boxOn('F') }),
    product('as fresh', { box: boxOn('T') }),
    product('whole', { box: boxOn('F') }),
    product('sold out', { stock: 0, box: boxOn('S') }),
    product('at sea', { box: boxOn('A', { stage: 'at sea' }) }),
    product('soon', { box: boxOn('U', { wordFrom: days('2026-11-18', '2026-11-20', '2026-11-25') }) }),
    product('over', { box: boxOn('O', { wordFrom: days('2026-11-10', '2026-11-15', '2026-11-20') }) }),
    product('warmed', { box: boxOn('M', { coldChain: 'warmed' }) }),
    product('no date', { box: boxOf(0.1) }),
    product('warm', {
      box: boxOn('W', {
        warm: { at: '2026-11-22 01:00:00', temperature: 18, unknownFrom: '2026-11-21T20:00:00Z' },
      }),
    }),
  ]
  const titles = (most: number) => freshestToday(products, on(TODAY), most).map(({ title }) => title)
  assert.deepEqual(titles(4), ['fillet', 'as fresh', 'good'])
  assert.deepEqual(titles(1), ['fillet'])
  assert.deepEqual(freshestToday([], on(TODAY), 4), [])
})
