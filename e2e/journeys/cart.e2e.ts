import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { visit } from '../support/browser.ts'
import { linesOf, openCart, shownLines } from '../support/cart.ts'
import { desk } from '../support/manager.ts'
import { admin, type Server, startServer } from '../support/server.ts'
import { until } from '../support/within.ts'

let server: Server
before(async () => {
  server = await startServer()
})
after(() => server[Symbol.asyncDispose]())

const cartIs = (page: Page, ...want: string[]): Promise<void> =>
  until(30, `the cart is ${want.join(', ')}`, async () => `${await shownLines(page)}` === `${want}`)

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

test('Undo brings back what was removed and nothing else, whatever other tabs did meanwhile', async () => {
  await using at = await visit(server.url, desk)
  const { page, context } = at
  await openCart(page, await linesOf(server, ['Pipis', 'Vongole', 'Blue mussels']))
  await cartIs(page, 'Pipis 1', 'Vongole 1', 'Blue mussels 1')
  const other = await context.newPage()
  await other.goto('/cart')

  await press(page, 'Remove Vongole')
  await cartIs(other, 'Pipis 1', 'Blue mussels 1')
  await press(other, 'One more Pipis')
  await press(other, 'Remove Blue mussels')
  await cartIs(page, 'Pipis 2')
  await press(page, 'Undo')
  await cartIs(page, 'Pipis 2', 'Vongole 1')

  await press(page, 'One less Vongole')
  await page.getByText('Vongole was removed.').waitFor()
  await press(page, 'Undo')
  await cartIs(page, 'Pipis 2', 'Vongole 1')

  await press(page, 'Remove Vongole')
  await cartIs(other, 'Pipis 2')
  await press(other, 'Undo')
  await cartIs(page, 'Pipis 2', 'Blue mussels 1')
  await other.goto('/product')
  await other.getByRole('main').getByRole('link', { name: 'Vongole', exact: true }).click()
  await press(other, 'Add to Cart')
  await other.getByText('Added. 1 in your cart.').waitFor()
  await press(other, 'Add to Cart')
  await cartIs(page, 'Pipis 2', 'Blue mussels 1', 'Vongole 2')
  await press(page, 'Undo')
  await cartIs(page, 'Pipis 2', 'Blue mussels 1', 'Vongole 2')

  await press(page, 'Clear the cart')
  await page.getByText('Cart is empty').waitFor()
  await press(other, 'Add to Cart')
  await cartIs(page, 'Vongole 1')
  await press(page, 'Undo')
  await cartIs(page, 'Pipis 2', 'Blue mussels 1', 'Vongole 1')
})

test('the 501st product is refused with words, and a cart of any length is shown again', async () => {
  await using at = await visit(server.url, desk)
  const { page } = at
  const [line] = await linesOf(server, ['Pipis'])
  const many = Array.from({ length: 500 }, (_, i) => ({ ...line, _id: `gone-${i}` }))
  await page.goto('/product')
  const before = await page
    .getByRole('main')
    .getByRole('link', { name: 'Vongole', exact: true })
    .getAttribute('href')
  await page.route('**/api/product/active', (route) => route.abort())
  at.expectProblem(/ERR_FAILED/)
  await openCart(page, many)
  await page.getByRole('button', { name: 'Remove Pipis' }).nth(499).waitFor()
  await page.goto(before ?? '')
  await press(page, 'Add to Cart')
  await page
    .getByText('Your cart is full: it holds 500 different products. Remove one to add this.')
    .waitFor()
  await openCart(page, [...many, { ...line, _id: 'one-more' }, { ...line, _id: 'odd', quantity: 0 }])
  await page.getByRole('button', { name: 'Remove Pipis' }).nth(500).waitFor()
  await page
    .getByText('Part of your stored cart could not be read and was set aside. The rest is here.')
    .waitFor()
})

test('without script Add to Cart says why it waits', async () => {
  await using at = await visit(`${server.url}/product`, { ...desk, javaScriptEnabled: false })
  at.expectProblem(/ csp$/)
  const { page } = at
  await page.getByRole('main').getByRole('link', { name: 'Vongole', exact: true }).click()
  await page.getByText('Adding to the cart needs JavaScript: the cart is kept in your browser.').waitFor()
})

test('who logs in to buy is back at the cart', async () => {
  await using at = await visit(server.url, desk)
  const { page } = at
  await openCart(page, await linesOf(server, ['Pipis']))
  await page.getByRole('link', { name: 'Login to buy' }).click()
  await page.getByLabel('Email').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/cart')
  await cartIs(page, 'Pipis 1')
  await page.getByRole('button', { name: 'Checkout', exact: true }).waitFor()
})
