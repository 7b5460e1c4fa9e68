import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type CategoryView, newProduct, type ProductView } from '@befaqt/domain/catalogue'
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

/** What people type, and what they expect first: one of these. */
const expected: [typed: string, ...first: string[]][] = [
  ['snapper', 'Snapper, whole'],
  ['SNÁPPER', 'Snapper, whole'],
  ['snap', 'Snapper, whole'],
  ['snaper', 'Snapper, whole'],
  ['snappr', 'Snapper, whole'],
  ['whole snapper', 'Snapper, whole'],
  ['mussels', 'Blue mussels'],
  ['mussles', 'Blue mussels'],
  ['musels', 'Blue mussels'],
  ['cozze', 'Blue mussels'],
  ['μύδια', 'Blue mussels'],
  ['青口', 'Blue mussels'],
  ['vẹm', 'Blue mussels'],
  ['flathead', 'Dusky flathead, whole', 'Dusky flathead fillets', 'Dusky flathead, box from Iluka'],
  ['flathead filet', 'Dusky flathead fillets'],
  ['flathead fillet', 'Dusky flathead fillets'],
  ['flathed fillets', 'Dusky flathead fillets'],
  ['flatties', 'Dusky flathead, whole', 'Dusky flathead fillets'],
  ['sydney rock oyster', 'Sydney rock oysters'],
  ['sydny rock oyster', 'Sydney rock oysters'],
  ['oyster', 'Pacific oysters', 'Sydney rock oysters'],
  ['oisters', 'Pacific oysters', 'Sydney rock oysters'],
  ['hàu', 'Pacific oysters', 'Sydney rock oysters'],
  ['ostriche', 'Pacific oysters', 'Sydney rock oysters'],
  ['prawns', 'School prawns, raw', 'King prawns, cooked', 'Eastern king prawns, raw'],
  ['shrimp', 'School prawns, raw', 'King prawns, cooked', 'Eastern king prawns, raw'],
  ['shrimps', 'School prawns, raw', 'King prawns, cooked', 'Eastern king prawns, raw'],
  ['cooked prawns', 'King prawns, cooked'],
  ['cooked shrimp', 'King prawns, cooked'],
  ['raw prawns', 'School prawns, raw', 'Eastern king prawns, raw'],
  ['praws', 'School prawns, raw', 'King prawns, cooked', 'Eastern king prawns, raw'],
  ['tôm', 'School prawns, raw', 'King prawns, cooked', 'Eastern king prawns, raw'],
  ['γαρίδες', 'School prawns, raw', 'King prawns, cooked', 'Eastern king prawns, raw'],
  ['虾', 'School prawns, raw', 'King prawns, cooked', 'Eastern king prawns, raw'],
  ['king prawns', 'King prawns, cooked', 'Eastern king prawns, raw'],
  ['school prawn', 'School prawns, raw'],
  ['calamari', 'Southern calamari'],
  ['calamri', 'Southern calamari'],
  ['squid', 'Arrow squid'],
  ['squids', 'Arrow squid'],
  ['mực', 'Arrow squid', 'Southern calamari'],
  ['octopus', 'Octopus'],
  ['octopuss', 'Octopus'],
  ['polpo', 'Octopus'],
  ['bach tuoc', 'Octopus'],
  ['seppia', 'Cuttlefish'],
  ['cuttle fish', 'Cuttlefish'],
  ['hiramasa', 'Yellowtail kingfish'],
  ['kingfish', 'Yellowtail kingfish'],
  ['king fish', 'Yellowtail kingfish'],
  ['kingfsh', 'Yellowtail kingfish'],
  ['lobster', 'Eastern rock lobster'],
  ['lobster tail', 'Eastern rock lobster', 'Balmain bugs'],
  ['crayfish', 'Eastern rock lobster'],
  ['龙虾', 'Eastern rock lobster'],
  ['salmon', 'Atlantic salmon'],
  ['salmon fillet', 'Atlantic salmon'],
  ['cá hồi', 'Atlantic salmon'],
  ['tuna', 'Bigeye tuna', 'Yellowfin tuna loin'],
  ['tuna steak', 'Yellowfin tuna loin'],
  ['ahi', 'Bigeye tuna', 'Yellowfin tuna loin'],
  ['cá ngừ', 'Bigeye tuna', 'Yellowfin tuna loin', 'Albacore'],
  ['mackerel steak', 'Spanish mackerel cutlets'],
  ['spanish mackerel', 'Spanish mackerel cutlets'],
  ['saba', 'Blue mackerel'],
  ['sgombro', 'Blue mackerel'],
  ['jewfish', 'Mulloway, whole'],
  ['blue eye cod', 'Blue-eye trevalla'],
  ['blue-eye', 'Blue-eye trevalla'],
  ['st pierre', 'John dory'],
  ['jon dory', 'John dory'],
  ['tsipoura', 'Yellowfin bream'],
  ['pilchards', 'Australian sardine'],
  ['sardines', 'Australian sardine'],
  ['garfish', 'Eastern sea garfish'],
  ['bugs', 'Balmain bugs'],
  ['moreton bay bugs', 'Balmain bugs'],
  ['mud crab', 'Mud crab, live'],
  ['muddies', 'Mud crab, live'],
  ['blue swimmer', 'Blue swimmer crab'],
  ['live crab', 'Mud crab, live'],
  ['clams', 'Pipis', 'Vongole'],
  ['pippies', 'Pipis'],
  ['scalops', 'Scallops, half shell'],
  ['abalone', 'Blacklip abalone'],
  ['leather jacket', 'Leatherjacket'],
  ['seafood platter', 'Seafood platter for four'],
  ['coffs harbour', 'Snapper, box from Coffs Harbour'],
]

test(`${expected.length} searches as people type them find first what they mean`, () => {
  const wrong = expected.flatMap(([typed, ...first]) => {
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
