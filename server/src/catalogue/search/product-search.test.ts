import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type CategoryView, newProduct, type ProductView } from '@befaqt/domain/catalogue'
import { typedSearches } from '#server/testing/typed-searches.ts'
import { ProductSearch } from './product-search.ts'

type Sample = { title: string; category: string; description: string; status: string }
const sample: Sample[] = JSON.parse(
  readFileSync(new URL('../../../sample/products.json', import.meta.url), 'utf8'),
)

const categories = [...new Set(sample.map(({ category }) => category))].map(
  (title): CategoryView => ({
    _id: title,
    title,
    icon: '',
    description: '',
    shelfPos: '1',
    status: 'ACTIVE',
    imagePath: '',
    image: null,
  }),
)

const view = (title: string, category = 'Fish', description = ''): ProductView => ({
  ...newProduct,
  _id: title,
  title,
  category_id: category,
  description,
  imagePaths: [],
  images: [],
  box: null,
  saleStopped: false,
})

const onSale = sample
  .filter(({ status }) => status === 'ACTIVE')
  .map(({ title, category, description }) => view(title, category, description))

async function searchOver(products: readonly ProductView[]): Promise<ProductSearch> {
  const search = new ProductSearch()
  await search.follow(products, categories)
  return search
}

const market = await searchOver(onSale)
const found = (typed: string, search = market): string[] => [...search.find(typed).places.keys()]

test(`${typedSearches.length} searches as people type them find first what they mean`, () => {
  const wrong = typedSearches.flatMap(([typed, ...first]) => {
    const [best = 'nothing'] = found(typed)
    return first.some((title) => best === title || best.startsWith(`${title}, box`))
      ? []
      : [`${typed}: ${best}`]
  })
  assert.deepEqual(wrong, [])
})

test('what is not sold is not found, however alike it may be written', () => {
  for (const typed of ['barramundi', 'redfish', 'zzzz', '***', '🐟', '((((', 'x'.repeat(10_000)])
    assert.deepEqual(found(typed), [], typed)
})

test('how the words were read is said: mistyped, another name, only some of them, an order', () => {
  const as = (typed: string) => market.find(typed).reading
  const asTyped = { instead: null, soldAs: null, isPartly: false, sort: null }
  assert.deepEqual(as('snapper'), asTyped)
  assert.deepEqual(as('snaper'), { ...asTyped, instead: 'snapper' })
  assert.deepEqual(as('sydny rock oyster'), { ...asTyped, instead: 'sydney rock oyster' })
  assert.deepEqual(as('shrimp'), { ...asTyped, soldAs: 'prawn' })
  assert.deepEqual(as('hiramasa'), { ...asTyped, soldAs: 'kingfish' })
  assert.deepEqual(as('snapper unicorn'), { ...asTyped, isPartly: true })
  assert.ok(found('lobster tail').includes('Eastern rock lobster'), 'also where nobody wrote of tails')
  assert.deepEqual(as('cheap fish'), { ...asTyped, sort: 'price-up' })
  assert.equal(found('fresh today').length, onSale.length, 'words of an order leave nothing out')
})

test('it follows the catalogue: what is renamed, taken off and put on again', async () => {
  const [snapper, mullet] = [view('Snapper'), view('Sea mullet')]
  const search = await searchOver([snapper, mullet])
  assert.deepEqual(found('mullet', search), ['Sea mullet'])
  await search.follow([{ ...snapper, title: 'Squire' }], categories)
  assert.deepEqual(found('mullet', search), [])
  assert.deepEqual(found('squire', search), ['Snapper'])
  assert.deepEqual(found('snapper', search), [], 'its old title')
  await search.follow([snapper, mullet], categories)
  assert.deepEqual(found('snapper', search), ['Snapper'])
  assert.deepEqual(found('mullet', search), ['Sea mullet'])
})

test('what is being typed is finished', () => {
  assert.ok(market.wordsFrom('snap').includes('snapper'))
  assert.ok(market.wordsFrom('rock lob').includes('rock lobster'))
  assert.deepEqual(market.wordsFrom('zzzz'), [])
})
