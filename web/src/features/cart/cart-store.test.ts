import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reconcile } from '@befaqt/domain/cart-reconcile'
import type { ProductView } from '@befaqt/domain/catalogue'
import { addToCart, decrease } from '@befaqt/domain/change-cart'
import { CART_KEY, createCartStore, QUARANTINE_KEY } from './cart-store.ts'

const snapper: ProductView = {
  _id: 'p1',
  title: 'Snapper',
  category_id: 'c1',
  imagePaths: ['a.webp'],
  price: 34.5,
  unit: 'kg',
  includeGST: false,
  discount: 0,
  stock: 3,
  shelfPos: '1.1',
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
}

/** Storage as a browser has it: one for all tabs. */
function memory(start: Record<string, string> = {}) {
  const values = new Map(Object.entries(start))
  return {
    values,
    kept: () => ({
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => void values.set(key, value),
      removeItem: (key: string) => void values.delete(key),
    }),
  }
}
const tab = ({ kept }: ReturnType<typeof memory>) => createCartStore(kept)

test('what is added survives a reload of the page', () => {
  const browser = memory()
  tab(browser).change((cart) => addToCart(cart, snapper))
  const reloaded = tab(browser)
  reloaded.load()
  assert.deepEqual(
    reloaded.get().lines.map((line) => [line.title, line.quantity]),
    [['Snapper', 1]],
  )
})

test('a tab that was in the background does not undo what another one did', () => {
  const browser = memory()
  const [first, second] = [tab(browser), tab(browser)]
  first.load()
  second.load()
  first.change((cart) => addToCart(cart, snapper))
  second.change((cart) => addToCart(cart, snapper))
  first.load()
  assert.equal(first.get().lines[0]?.quantity, 2)
})

test('a foreign value is quarantined and reported, and the cart still works', () => {
  for (const foreign of ['{"items":[1,2]}', 'not json', '{"v":99,"lines":[]}', '[]', 'null']) {
    const browser = memory({ [CART_KEY]: foreign })
    const store = tab(browser)
    store.load()
    assert.deepEqual(store.get().lines, [])
    assert.equal(store.get().corrupted, 'whole')
    assert.equal(browser.values.get(QUARANTINE_KEY), foreign)
    store.change((cart) => addToCart(cart, snapper))
    assert.equal(store.get().lines.length, 1)
  }
})

test('the readable lines of a damaged cart stay, also after the next reload', () => {
  const browser = memory()
  tab(browser).change((cart) => addToCart(cart, snapper))
  const { lines } = JSON.parse(browser.values.get(CART_KEY) ?? '')
  assert.deepEqual(
    [lines[0].price, 'priceCents' in lines[0]],
    [34.5, false],
    'stored as the specification has it',
  )
  const partly = JSON.stringify({ v: 1, lines: [...lines, { ...lines[0], _id: 'p2', quantity: -1 }] })
  browser.values.set(CART_KEY, partly)
  const store = tab(browser)
  store.load()
  assert.deepEqual([store.get().corrupted, store.get().lines.length], ['part', 1])
  assert.equal(browser.values.get(QUARANTINE_KEY), partly)
  const reloaded = tab(browser)
  reloaded.load()
  assert.deepEqual([reloaded.get().corrupted, reloaded.get().lines], [null, store.get().lines])
})

test('reconciling removes missing products, caps at stock, and reports both', () => {
  const store = tab(memory())
  for (let press = 0; press < 3; press++) store.change((cart) => addToCart(cart, snapper))
  const asked = new Set([snapper._id])
  store.reconcile((cart) => reconcile(cart, [{ ...snapper, stock: 2, price: 40 }], asked))
  assert.equal(store.get().lines[0]?.quantity, 2)
  assert.deepEqual(
    store.get().changes.map((change) => change.kind),
    ['capped', 'price'],
  )
  store.reconcile((cart) => reconcile(cart, [], asked))
  assert.deepEqual(store.get().lines, [])
  assert.equal(store.get().changes.at(-1)?.kind, 'dropped')
  store.dismiss()
  assert.deepEqual(store.get().changes, [])
})

test('reconciling writes nothing where nothing changed: what another tab wrote may not be here yet', () => {
  const browser = memory()
  tab(browser).change((cart) => addToCart(cart, snapper))
  const { getItem } = browser.kept()
  const late = createCartStore(() => ({
    getItem,
    setItem: () => assert.fail('written'),
    removeItem: () => assert.fail('removed'),
  }))
  late.load()
  late.reconcile((cart) => reconcile(cart, [snapper], new Set([snapper._id])))
  assert.deepEqual([late.get().lines.length, late.get().storageUnavailable], [1, false])
})

test('an emptied cart leaves nothing behind', () => {
  const browser = memory()
  const store = tab(browser)
  store.change((cart) => addToCart(cart, snapper, 0.25))
  store.change((cart) => decrease(cart, 'p1'))
  assert.equal(browser.values.has(CART_KEY), false)
})

test('a full storage does not lose added lines', () => {
  const browser = memory()
  const full = () => ({
    ...browser.kept(),
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  })
  const store = createCartStore(full)
  store.change((cart) => addToCart(cart, snapper))
  store.change((cart) => addToCart(cart, snapper))
  assert.equal(store.get().lines[0]?.quantity, 2)
  assert.equal(store.get().storageUnavailable, true)
})

test('a browser without storage has a cart until the page is closed', () => {
  const forbidden = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  const store = createCartStore(forbidden)
  store.load()
  store.change((cart) => addToCart(cart, snapper))
  store.change((cart) => addToCart(cart, snapper))
  assert.equal(store.get().lines[0]?.quantity, 2)
})
