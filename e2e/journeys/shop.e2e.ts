import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { unchanged, verdictInHead, waitUntilAnchored } from '../support/box-page.ts'
import { pauseRequests, visit } from '../support/browser.ts'
import { quantityIs } from '../support/cart.ts'
import { type Server, startServer } from '../support/server.ts'
import { eventually } from '../support/within.ts'

const desktop = { viewport: { width: 1280, height: 900 } }
let server: Server

before(async () => {
  server = await startServer()
})
after(() => server[Symbol.asyncDispose]())

type Product = {
  _id: string
  title: string
  price: number
  discount: number
  includeGST: boolean
  stock: number
}

const onSale = async (): Promise<Product[]> => (await fetch(`${server.url}/api/product/active`)).json()

const changeProduct = (id: string, fields: object): Promise<Response> =>
  server.call(`/api/product/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  })

/** The totals block as label → amount in cents. */
async function totals(page: Page): Promise<Record<string, number>> {
  const block = page.getByRole('region', { name: 'Totals' }).locator('dl > div')
  await block.first().waitFor()
  const rows = await block.allInnerTexts()
  return Object.fromEntries(
    rows.map((row) => {
      const [label = '', amount = ''] = row.split('\n').filter((part) => part.trim() !== '')
      return [label, Math.round(Number(amount.replace(/[$,]/g, '')) * 100)]
    }),
  )
}

async function addFromCategory(page: Page, category: string, product: string): Promise<void> {
  await page.goto('/')
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(`^${category}`) })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: category }).waitFor()
  await page.getByRole('main').getByRole('link', { name: product }).first().click()
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await page.getByText(/^Added\. 1 .* in your cart\.$/).waitFor()
}

test('from home to category, product and cart: totals are right to the cent', async () => {
  await using at = await visit(server.url)
  const { page } = at
  const grid = page.getByRole('region', { name: 'Seafood Categories' })
  await grid.getByRole('link', { name: /^Prawns/ }).waitFor()
  await eventually(
    () => grid.getByRole('link', { name: /^Boxes on track/ }).count(),
    0,
    'the first is dropped',
  )
  await addFromCategory(page, 'Prawns', 'King prawns, cooked')
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await page.getByText('Added. 2 kg in your cart.').waitFor()
  await addFromCategory(page, 'Oysters', 'Sydney rock oysters')
  await page.getByRole('link', { name: 'Go to Cart' }).click()
  await page.getByRole('heading', { name: 'Your cart' }).waitFor()
  const products = await onSale()
  const prawns = products.find(({ title }) => title === 'King prawns, cooked')
  const oysters = products.find(({ title }) => title === 'Sydney rock oysters')
  assert.ok(prawns && oysters && prawns.includeGST && prawns.discount > 0 && !oysters.includeGST)
  const cents = (product: Product): number => Math.round(product.price * 100)
  const sold = Math.floor((cents(prawns) * (100 - prawns.discount) + 50) / 100)
  const subtotal = 2 * cents(prawns) + cents(oysters)
  const total = 2 * sold + cents(oysters)
  assert.deepEqual(await totals(page), {
    Subtotal: subtotal,
    'Total Savings': subtotal - total,
    Delivery: 0,
    Total: total,
    'GST included': Math.floor((2 * sold * 2 + 11) / 22),
  })
  await page.getByRole('button', { name: 'One less Sydney rock oysters' }).click()
  await page.getByLabel('Quantity of Sydney rock oysters').waitFor({ state: 'detached' })
  assert.equal((await totals(page)).Total, 2 * sold, 'minus at 1 removes the line')
  await page.getByRole('button', { name: 'Clear the cart' }).click()
  await page.getByText('Cart is empty').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  assert.equal((await totals(page)).Total, 2 * sold)
})

test('the video of the home page leads to the sample box, which verifies itself', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  await page.getByRole('heading', { name: 'Catch of the Day with Tracking Records' }).waitFor()
  await waitUntilAnchored(page, '0345579444')
  await page.getByRole('link', { name: /See this box’s journey/ }).click()
  assert.match(await verdictInHead(page), unchanged)
})

test('the page of a product says how it is kept and cooked, and of its box where, when and by whom it was caught', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  const product = (await onSale()).find(({ title }) => title.startsWith('Yellowfin tuna, box'))
  await page.goto(`/product/${product?._id}`)
  await page.getByText('forms histamine, which no cooking takes away').waitFor()
  const from = page.getByRole('region', { name: 'Where it’s from' })
  for (const text of ['Far Horizon (sample)', 'Sample Trader Gray']) await from.getByText(text).waitFor()
})

test('two tabs share one cart, and a damaged one is quarantined without a crash', async () => {
  await using at = await visit(server.url, desktop)
  const { page, context } = at
  await addFromCategory(page, 'Oysters', 'Pacific oysters')
  const other = await context.newPage()
  await other.goto('/cart')
  await other.getByRole('button', { name: 'One more Pacific oysters' }).click()
  await page.goto('/cart')
  await quantityIs(page, 'Pacific oysters', 2)
  await other.getByRole('button', { name: 'One more Pacific oysters' }).click()
  await quantityIs(page, 'Pacific oysters', 3)
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) localStorage.setItem(key, '{"v":1,"lines":[{"_id":7}')
  })
  await page.reload()
  await page.getByText('Cart is empty').waitFor()
})

test('on load the cart is reconciled with the catalogue, and the shopper is told what changed', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  for (const title of ['Blue mussels', 'Pipis', 'Vongole']) await addFromCategory(page, 'Shellfish', title)
  await page.goto('/cart')
  await page.getByLabel('Quantity of Pipis').fill('5')
  await page.getByLabel('Quantity of Pipis').press('Enter')
  const products = await onSale()
  const id = (title: string): string => products.find((product) => product.title === title)?._id ?? ''
  for (const [title, fields] of [
    ['Blue mussels', { status: 'INACTIVE' }],
    ['Pipis', { stock: 2 }],
    ['Vongole', { price: 25.5 }],
  ] as const)
    assert.equal((await changeProduct(id(title), fields)).status, 200, title)
  await page.reload()
  const vongole = products.find(({ title }) => title === 'Vongole')?.price.toFixed(2)
  for (const words of [
    'Blue mussels is no longer on sale and was taken out of your cart.',
    'Only 2 kg left of Pipis: your 5 kg became 2 kg.',
    `The price of Vongole went from $${vongole} to $25.50.`,
  ])
    await page.getByRole('main').getByText(words).waitFor()
  await quantityIs(page, 'Pipis', 2)
  await eventually(() => page.getByRole('button', { name: 'Remove Blue mussels' }).count(), 0)
  await page.getByText('$25.50/').waitFor()
})

test('a product added from an outdated page gets its current price in the cart, with a notice', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  await page.goto('/category/Fish')
  await page.getByRole('main').getByRole('link', { name: 'Tailor' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Tailor' }).waitFor()
  const tailor = (await onSale()).find(({ title }) => title === 'Tailor')
  assert.equal((await changeProduct(tailor?._id ?? '', { price: 41 })).status, 200)
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  await page.getByText(/^Added\. 1 .* in your cart\.$/).waitFor()
  await page.getByRole('link', { name: 'Go to Cart' }).click()
  await page
    .getByRole('main')
    .getByText(`The price of Tailor went from $${tailor?.price.toFixed(2)} to $41.00.`)
    .waitFor()
  assert.equal((await totals(page)).Subtotal, 4_100)
  await page.getByRole('link', { name: 'Tailor' }).click()
  await page.getByRole('heading', { level: 1, name: 'Tailor' }).waitFor()
  await page.getByRole('main').getByText('$41.00/').first().waitFor()
})

/** The data with which the page hydrates. */
const SCRIPT = '**/assets/*.js'

test('what is opened before hydration stays open', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  const oysters = (await onSale()).find(({ title }) => title === 'Pacific oysters')
  const resumeRequests = await pauseRequests(page, SCRIPT)
  await page.goto(`/product/${oysters?._id}`, { waitUntil: 'commit' })
  const menu = page.getByRole('navigation', { name: 'Main' })
  const technologies = menu.getByRole('link', { name: 'Technologies' })
  await menu.locator('summary').getByText('About').click()
  await technologies.waitFor()
  const add = page.getByRole('button', { name: 'Add to Cart' })
  resumeRequests()
  await page.waitForFunction(() => 'earlyTaps' in globalThis) // a press before the first file of script is there is nobody's
  await add.click({ trial: true })
  await eventually(() => technologies.isVisible(), true)
  await add.click()
  await page.getByText(/^Added\. 1 .* in your cart\.$/).waitFor()
})

test('two snappers are told apart: on their cards, beside each other, and by what a picture shows', async () => {
  const html = async (path: string) => (await fetch(server.url + path)).text()
  const whole = (await onSale()).find(({ title }) => title === 'Snapper, whole')
  const list = await html('/product?q=snapper')
  assert.equal(list.match(/prepared to order/g)?.length, 1, 'of two')
  const page = await html(`/product/${whole?._id}`)
  assert.match(page, /Sold as it is, not cleaned or filleted; from the same box; \$3\.80\/kg more/)
  assert.match(page, /<p[^>]*>Whole snapper on crushed ice[^<]*<\/p>/)
})

test('what is typed before hydration stays, and errors in it are shown', async () => {
  await using at = await visit(server.url)
  const { page } = at
  const resumeRequests = await pauseRequests(page, SCRIPT)
  await page.goto('/user/signup', { waitUntil: 'commit' })
  await page.getByLabel('Email').fill('nobody')
  await page.getByLabel('Mobile phone').fill('0412 345 678')
  await page.getByLabel('Password', { exact: true }).fill('short')
  await eventually(() => page.getByRole('button', { name: 'Show Password' }).isDisabled(), true)
  resumeRequests()
  await page.getByText('enter valid email address').waitFor()
  await eventually(() => page.getByLabel('Email').inputValue(), 'nobody')
  await eventually(() => page.getByText('enter valid mobile number').count(), 0)
  await eventually(
    () => page.getByText('password must be 6 or more characters').count(),
    0,
    'still being typed',
  )
  await page.getByRole('button', { name: 'Show Password' }).click()
  await page.getByText('password must be 6 or more characters').waitFor()
  await eventually(() => page.getByLabel('Password', { exact: true }).getAttribute('type'), 'text')
  await page.getByRole('button', { name: 'Hide Password' }).click()
  await eventually(() => page.getByLabel('Password', { exact: true }).getAttribute('type'), 'password')
})

test('filters are in the URL and work without JavaScript', async () => {
  await using at = await visit(`${server.url}/product?q=oyster`, { ...desktop, javaScriptEnabled: false })
  at.expectProblem(/ csp$/)
  const { page } = at
  await page.getByRole('link', { name: 'Sydney rock oysters' }).first().waitFor()
  await eventually(() => page.getByRole('link', { name: 'Pipis' }).count(), 0)
  await page.goto(`${server.url}/product?min=-5&max=abc&page=1e9&sort=%00`)
  await eventually(() => page.getByRole('heading', { level: 1 }).count(), 1)
})

test('unknown URLs show a 404 page with links', async () => {
  await using at = await visit(server.url, desktop)
  at.expectProblem(/status of 40[134]/)
  const { page } = at
  for (const path of [
    '/nope',
    '/product/nope',
    '/category/Nope',
    '/about/nope',
    '/manage/user',
    '/%2e%2e/etc',
  ]) {
    const answer = await page.goto(path)
    const expected = path === '/manage/user' ? [401, 403] : [404]
    assert.ok(expected.includes(answer?.status() ?? 0), `${path} ${answer?.status()}`)
    if (path !== '/manage/user') await page.getByText('404: Page not found').first().waitFor()
  }
})

test('malformed URLs get a fitting response, and none redirects to another host', async () => {
  const ask = (path: string) => fetch(`${server.url}${path}`, { redirect: 'manual' })
  for (const path of ['//', '//elsewhere.example', '///elsewhere.example/x']) {
    const answer = await ask(path)
    assert.equal(answer.status, 301, path)
    assert.match(answer.headers.get('location') ?? '', /^\/(?![/\\])/, path)
  }
  for (const path of ['/SFMBox/byId/%00', '/product/%00', '/category/a%00b', '/..%2f..%2fetc', '/%zz'])
    assert.equal((await ask(path)).status, 404, path)
  for (const path of ['/product?q=%00&category=%00', '/SFMBox/byId?page=1e99'])
    assert.equal((await ask(path)).status, 200, path)
  for (const path of ['/SFMBox/byId?q=%00', `/${'x'.repeat(3000)}`])
    assert.equal((await ask(path)).status, 400, path)
})
