import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContext } from 'playwright-core'
import { assertAccessibleEverywhere } from '../support/accessible.ts'
import { assertLoggedIn, logIn } from '../support/account.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { quantityIs } from '../support/cart.ts'
import { desktop, press, visitAsManager } from '../support/manager.ts'
import { fillCheckout, firstTime, openCheckout, orderShown, ordersOf, placeOrder } from '../support/order.ts'
import { admin, startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

/** Ends the session on the server alone: the browser keeps its cookie, and hears of it with its next request. */
async function endSession(context: BrowserContext): Promise<void> {
  const session = (await context.cookies()).find(({ name }) => name === 'befaqt_session')
  const headers = { authorization: `Bearer ${session?.value}` }
  assert.ok((await fetch(`${server.url}/api/user/signOut`, { method: 'POST', headers })).ok)
}

test('an account’s own contact is filled in; after a session that ended one logs in beside and orders', async () => {
  await using at = await visitAsManager(server, '/user/order')
  at.expectProblem(/401/)
  const { page, context } = at
  await page.getByText('You have not ordered anything yet with this account.').waitFor()
  await openCheckout(page, server, ['Pipis'])
  await eventually(() => page.getByLabel('Email').inputValue(), admin.email)
  await fillCheckout(page, { fname: 'Ann', lname: 'Lee', phone: '0412 345 678', ...admin })
  await page.getByText(/^Kept for you until /).waitFor()
  await endSession(context)
  await placeOrder(page)
  await page.getByText('Your session has ended. Nothing was ordered.').waitFor()
  assert.equal((await ordersOf(server)).length, 0)
  const tab = await context.newPage()
  await logIn(tab, admin)
  await assertLoggedIn(tab, 'Admin')
  await tab.close()
  await placeOrder(page)
  const number = await orderShown(page)

  await page.goto('/user/order')
  await page.getByRole('link', { name: number }).waitFor()
  await assertAccessibleEverywhere(page)
  await page.getByRole('link', { name: number }).click()
  assert.equal(await orderShown(page), number)
  assert.doesNotMatch(page.url(), /key=/)
})

test('an order is shown to nobody else, and says how one’s own is found', async () => {
  const [order] = await ordersOf(server)
  await using at = await visit(server.url, desktop)
  at.expectProblem(/404/)
  const { page } = at
  await page.goto(`/user/order/${order?._id}`)
  await page.getByText(/^There is no such order for you to see\./).waitFor()
  await page.goto(`/user/order/${order?._id}?key=x`)
  await page.getByText(/^There is no such order for you to see\./).waitFor()
  await page.goto('/user/order')
  await page.waitForURL((url) => url.pathname === '/user/signin')
})

test('one unit is added from a card, by the rules of the product’s page', async () => {
  await using at = await visit(`${server.url}/product?q=Vongole`, desktop)
  const { page } = at
  await untilHydrated(page)
  await press(page, 'Add Vongole to cart')
  await page.getByText('Added. 1 kg in your cart.').waitFor()
  await press(page, 'Add Vongole to cart')
  await page.getByText('Added. 2 kg in your cart.').waitFor()
  await page.goto('/cart')
  await quantityIs(page, 'Vongole', 2)
})

test('without JavaScript the checkout says why it needs it; with an empty cart it leads back', async () => {
  await using at = await visit(`${server.url}/checkout`, { ...desktop, javaScriptEnabled: false })
  at.expectProblem(/ csp$/)
  await at.page.getByText(/^The checkout needs JavaScript: your cart is kept in your browser/).waitFor()
  await using other = await visit(`${server.url}/checkout`, desktop)
  await other.page.getByText('There is nothing to order.').waitFor()
  await eventually(() => firstTime(other.page).count(), 0)
})

test('what an account ordered before is offered where it changes an order', async () => {
  const [first] = await ordersOf(server)
  await using at = await visitAsManager(server, '/')
  const { page } = at
  await openCheckout(page, server, ['Blue mussels'])
  await fillCheckout(page, { fname: 'Ann', lname: 'Lee', phone: '0412 345 678', ...admin })
  await page.getByText(/^Kept for you until /).waitFor()
  await placeOrder(page)
  await orderShown(page)
  await page.goto(`/user/order/${first?._id}`)
  await untilHydrated(page)
  await press(page, 'Change order')
  const before = page.getByRole('list', { name: 'You ordered before' })
  await before.getByRole('button', { name: /^Blue mussels .*Add$/ }).click()
  await before.getByRole('button', { name: /^Blue mussels .*In your order$/ }).waitFor()
  await assertAccessibleEverywhere(page)
  await press(page, 'Save changes')
  await page.getByText(/Blue mussels: .* added\./).waitFor()
})
