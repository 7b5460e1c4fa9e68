import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { untilHydrated, visit } from '../support/browser.ts'
import { linesOf, openCart, quantityIs, shownLines } from '../support/cart.ts'
import { desktop } from '../support/manager.ts'
import { productNamed } from '../support/products.ts'
import { admin, startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually, until } from '../support/within.ts'

const server = await startForFile(startServer())

const cartIs = (page: Page, ...want: string[]): Promise<void> =>
  until(30, `the cart is ${want.join(', ')}`, async () => `${await shownLines(page)}` === `${want}`)

const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

test('Undo restores the removed line and nothing else, whatever other tabs did meanwhile', async () => {
  await using at = await visit(server.url, desktop)
  const { page, context } = at
  await openCart(page, await linesOf(server, ['Pipis', 'Vongole', 'Blue mussels']))
  await cartIs(page, 'Pipis 1', 'Vongole 1', 'Blue mussels 1')
  const other = await context.newPage()
  await other.goto('/cart')

  await press(page, 'Remove Vongole')
  await page.waitForFunction(() => document.activeElement?.textContent === 'Undo')
  await cartIs(other, 'Pipis 1', 'Blue mussels 1')
  await press(other, 'One more Pipis')
  await press(other, 'Remove Blue mussels')
  await cartIs(page, 'Pipis 1.25')
  await press(page, 'Undo')
  await page.waitForFunction(() => document.activeElement?.textContent === 'Your cart')
  await cartIs(page, 'Pipis 1.25', 'Vongole 1')

  for (let quarters = 4; quarters > 0; quarters--) await press(page, 'One less Vongole')
  await page.getByText('Vongole was removed.').waitFor()
  await press(page, 'Undo')
  await cartIs(page, 'Pipis 1.25', 'Vongole 0.25')

  await press(page, 'Remove Vongole')
  await cartIs(other, 'Pipis 1.25')
  await press(other, 'Undo')
  await cartIs(page, 'Pipis 1.25', 'Blue mussels 1')
  await other.goto('/product')
  await other.getByRole('main').getByRole('link', { name: 'Vongole', exact: true }).click()
  await press(other, 'Add to Cart')
  await other.getByText('Added. 1 kg in your cart.').waitFor()
  await press(other, 'Add to Cart')
  await cartIs(page, 'Pipis 1.25', 'Blue mussels 1', 'Vongole 2')
  await press(page, 'Undo')
  await cartIs(page, 'Pipis 1.25', 'Blue mussels 1', 'Vongole 2')

  await press(page, 'Clear the cart')
  await page.getByText('Cart is empty').waitFor()
  await press(other, 'Add to Cart')
  await cartIs(page, 'Vongole 1')
  await press(page, 'Undo')
  await cartIs(page, 'Pipis 1.25', 'Blue mussels 1', 'Vongole 1')
})

test('the focus goes to Undo where what had it is gone, and stays where it is otherwise', async () => {
  await using at = await visit(server.url, desktop)
  const { page, context } = at
  await openCart(page, await linesOf(server, ['Pipis', 'Vongole', 'Blue mussels']))
  await cartIs(page, 'Pipis 1', 'Vongole 1', 'Blue mussels 1')
  const other = await context.newPage()
  await other.goto('/cart')
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.tagName)
  // A browser that does not focus what is pressed, such as Safari.
  await page.getByLabel('Quantity of Pipis').focus()
  await page.getByRole('button', { name: 'Remove Vongole' }).dispatchEvent('click')
  await page.getByText('Vongole was removed.').waitFor()
  assert.equal(await focused(), 'Quantity of Pipis')
  await page.getByLabel('Quantity of Pipis').blur()
  assert.equal(await focused(), 'BODY')
  await press(other, 'One more Pipis')
  await cartIs(page, 'Pipis 1.25', 'Blue mussels 1')
  assert.equal(await focused(), 'BODY')
})

test('the 501st product is refused with a message, and a stored cart of any length is shown', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  const [line] = await linesOf(server, ['Pipis'])
  const many = Array.from({ length: 500 }, (_, i) => ({ ...line, _id: `gone-${i}` }))
  await page.goto('/product')
  const before = await page
    .getByRole('main')
    .getByRole('link', { name: 'Vongole', exact: true })
    .getAttribute('href')
  await page.route('**/api/product/byIds?*', (route) => route.abort())
  at.expectProblem(/ERR_FAILED/)
  await openCart(page, many)
  await page.getByRole('button', { name: 'Remove Pipis' }).nth(499).waitFor()
  await page.goto(before ?? '')
  await press(page, 'Add to Cart')
  await page.getByText('Your cart is full: it holds 500 lines. Remove one to add this.').waitFor()
  await openCart(page, [...many, { ...line, _id: 'one-more' }, { ...line, _id: 'odd', quantity: 0 }])
  await page.getByRole('button', { name: 'Remove Pipis' }).nth(500).waitFor()
  await page.getByText('Part of your saved cart could not be read. The rest is here.').waitFor()
})

test('the cart asks for its own products alone, and what another tab adds meanwhile stays', async () => {
  await using at = await visit(server.url, desktop)
  const { page, context } = at
  const [pipis, mussels] = await linesOf(server, ['Pipis', 'Blue mussels'])
  await untilHydrated(page) // after that a page compares the cart no more: the home page must not ask, too
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/api/product/')) asked.push(decodeURIComponent(pathname + search))
  })
  const answer = Promise.withResolvers<void>()
  await context.route('**/api/product/byIds?*', async (route) => {
    await answer.promise
    await route.continue()
  })
  const others = ['gone', 'odd,one'].map((_id) => ({ ...mussels, _id }))
  await openCart(page, [{ ...pipis }, ...others])
  await until(30, 'the cart asks', async () => asked.length > 0)
  const other = await context.newPage()
  await other.goto('/product?q=Vongole')
  await press(other, 'Add Vongole to cart')
  await cartIs(page, 'Pipis 1', 'Blue mussels 1', 'Blue mussels 1', 'Vongole 1')
  answer.resolve()
  await cartIs(page, 'Pipis 1', 'Vongole 1')
  assert.deepEqual(asked, [`/api/product/byIds?ids=${pipis?._id},gone`])
})

test('without JavaScript Add to Cart says why it is disabled', async () => {
  await using at = await visit(`${server.url}/product`, { ...desktop, javaScriptEnabled: false })
  at.expectProblem(/ csp$/)
  const { page } = at
  await page.getByRole('main').getByRole('link', { name: 'Vongole', exact: true }).click()
  await page.getByText('Adding to the cart needs JavaScript: the cart is kept in your browser.').waitFor()
})

test('a quantity is typed: up to what is in stock, 0 removes the line, letters are refused', async () => {
  await using at = await visit(`${server.url}/product`, desktop)
  const { page } = at
  await page.getByRole('main').getByRole('link', { name: 'Vongole', exact: true }).click()
  const many = page.getByLabel(/^Quantity, /)
  await many.fill('two')
  await page.getByText('Type kilograms in steps of 0.25, as in 0.5.').waitFor()
  await press(page, 'Add to Cart')
  await many.fill('3')
  await press(page, 'Add to Cart')
  await page.getByText('Added. 3 kg in your cart.').waitFor()
  await many.fill('99999')
  await many.press('Enter')
  const { stock } = await productNamed(server, 'Vongole')
  await page.getByText(`Added what we have: ${stock} kg in your cart.`).waitFor()

  await page.getByRole('link', { name: 'Go to Cart' }).click()
  await quantityIs(page, 'Vongole', stock)
  const typed = page.getByLabel('Quantity of Vongole')
  await typed.fill('4')
  await typed.press('Enter')
  await quantityIs(page, 'Vongole', 4)
  await page.reload()
  await quantityIs(page, 'Vongole', 4)
  await typed.fill('4,5')
  await page.getByText('Type kilograms in steps of 0.25, 0 to remove it.').waitFor()
  await typed.press('Escape')
  await eventually(() => typed.inputValue(), '4')
  await typed.fill('99999')
  await typed.blur()
  await quantityIs(page, 'Vongole', stock)
  await typed.fill('0')
  await typed.press('Enter')
  await page.getByText('Cart is empty').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await quantityIs(page, 'Vongole', stock)
})

test('logging in to buy returns to the cart', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  await openCart(page, await linesOf(server, ['Pipis']))
  await page.getByRole('link', { name: 'Login to buy' }).click()
  await page.getByLabel('Email').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/cart')
  await cartIs(page, 'Pipis 1')
  await page.getByRole('button', { name: 'Checkout', exact: true }).waitFor()
})

test('before its script is there, the page says that a cart is empty, and never so of one that is not', async () => {
  await using at = await visit(server.url)
  const { page } = at
  const [, entry = ''] = /data-entry="([^"]+)"/.exec(await (await fetch(`${server.url}/cart`)).text()) ?? []
  assert.ok(entry)
  at.expectProblem(/ERR_FAILED|Failed to fetch dynamically/)
  await page.route(`**${entry}`, (route) => route.abort())
  for (const path of ['/cart', '/checkout']) {
    await page.goto(path)
    await page.getByText('Part of this page did not load').waitFor()
    assert.ok(await page.getByText('Cart is empty').isVisible(), path)
  }
  await page.goto('/cart')
  await page.getByRole('heading', { name: 'Freshest today' }).waitFor()
  assert.equal(await page.getByRole('article').count(), 4)

  await page.unroute(`**${entry}`)
  await openCart(page, await linesOf(server, ['Pipis']))
  await page.route(`**${entry}`, (route) => route.abort())
  for (const path of ['/cart', '/checkout']) {
    await page.goto(path)
    await page.getByText('Part of this page did not load').waitFor()
    assert.equal(await page.getByText('Cart is empty').isVisible(), false, path)
    assert.equal(await page.getByRole('article').count(), 0, 'nothing in its place either')
  }
})
