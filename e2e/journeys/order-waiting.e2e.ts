import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessibleEverywhere } from '../support/accessible.ts'
import { ann, linkIn, signInByApi, signUp } from '../support/account.ts'
import { visit } from '../support/browser.ts'
import { linesOf, openCart } from '../support/cart.ts'
import { desktop, press, visitAsManager } from '../support/manager.ts'
import { callJson, fillCheckout, orderShown, ordersOf, placeOrder } from '../support/order.ts'
import { productNamed } from '../support/products.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startForFile, startWithMailbox } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const phone = { viewport: { width: 360, height: 740 } } as const
const FISH = 'Pipis'

const { server, mailbox } = await startForFile(startWithMailbox())

/** Orders so much of a fish that the order waits. */
async function orderLarge(page: Page): Promise<void> {
  const { _id } = await productNamed(server, FISH)
  await callJson(server, 'PATCH', `/api/product/${_id}`, { stock: 80, price: 60 })
  const [line] = await linesOf(server, [FISH])
  await openCart(page, [{ ...line, quantity: 21 }])
  await page.getByText(/^One order takes at most 20 /).waitFor()
  await eventually(() => page.getByLabel(`Quantity of ${FISH}`).getAttribute('aria-invalid'), 'true')
  await page.getByLabel(`Quantity of ${FISH}`).fill('10')
  await page.getByLabel(`Quantity of ${FISH}`).press('Enter')
  await page.getByText(/^One order takes at most/).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^Checkout/ }).click()
  await page.getByRole('button', { name: 'Place order' }).waitFor()
}

test('a large first order says what it waits for, is confirmed by a press behind the link of its email, and then is an order', async () => {
  await using at = await visit(server.url, phone)
  at.expectProblem(/409/)
  const { page } = at
  await orderLarge(page)
  await page.getByRole('group', { name: /^When/ }).getByRole('radio').first().check()
  await page.getByText('The time you chose is kept once name, email and phone are filled in.').waitFor()
  await fillCheckout(page, ann)
  await page.getByText(/^Kept for you until [^.]*\.$/).waitFor()
  await placeOrder(page)
  await page.getByText('It waits for a click in its email.').waitFor()
  await page.getByText('Sydney Fish Market, Bank Street, Pyrmont NSW 2009, on a map').waitFor()
  await page.getByText(`We sent an email to ${ann.email}`, { exact: false }).waitFor()
  await eventually(() => page.getByRole('button', { name: 'Confirm the order' }).count(), 0)
  await assertAccessibleEverywhere(page)
  await saveScreenshot(page, 'order-waiting')
  const first = await mailbox.waitForMail(ann.email, /^Please confirm your order/)
  await press(page, 'Send the email again')
  await page.getByText('The email is on its way.', { exact: false }).waitFor()
  assert.deepEqual(await ordersOf(server), [])

  const { _id } = await productNamed(server, FISH)
  await callJson(server, 'PATCH', `/api/product/${_id}`, { stock: 4 })
  await page.goto(linkIn(first))
  await press(page, 'Confirm the order')
  await page.getByText(`${FISH}: 4 kg left.`).waitFor()
  assert.deepEqual(await ordersOf(server), [])
  await assertAccessibleEverywhere(page)
  await press(page, 'Take what is left')
  const number = await orderShown(page)
  await page.getByRole('link', { name: 'on a map' }).waitFor()
  assert.deepEqual(
    (await ordersOf(server)).map((order) => [order.number, order.status]),
    [[number, 'PLACED']],
  )
  await page.reload()
  assert.equal(await orderShown(page), number)
})

test('the shop sees what waits and confirms or drops it, and the buyer’s page says so', async () => {
  await using buyer = await visit(server.url, desktop)
  await orderLarge(buyer.page)
  await fillCheckout(buyer.page, ann)
  await placeOrder(buyer.page)
  await buyer.page.getByText('It waits for a click in its email.').waitFor()

  await using at = await visitAsManager(server, '/manage/order')
  const { page } = at
  await page.getByRole('link', { name: '1 large first order waits to be confirmed' }).click()
  await page.getByText(', 10 kg', { exact: false }).waitFor()
  await assertAccessibleEverywhere(page)
  await saveScreenshot(page, 'manage-order-waiting')
  await press(page, "Drop the order of Ann O'Lee")
  const dialog = page.getByRole('dialog', { name: 'Drop this order?' })
  await dialog.getByRole('button', { name: 'Drop the order' }).click()
  await dialog.getByText('reason is required').waitFor()
  await dialog.getByLabel('Reason').fill('Nobody answers the phone')
  await dialog.getByRole('button', { name: 'Drop the order' }).click()
  await page.getByText('The order is dropped.').waitFor()

  await buyer.page.reload()
  await buyer.page.getByText('Nobody answers the phone', { exact: false }).waitFor()
  await buyer.page.getByRole('button', { name: 'Buy again' }).waitFor()
  await assertAccessibleEverywhere(buyer.page)
})

test('a buyer with an account finds in My Orders what waits, what to do about it, and what is left of it', async () => {
  const bea = { ...ann, fname: 'Bea', email: 'bea@example.com' }
  await using at = await visit(server.url, phone)
  at.expectProblem(/ERR_FAILED|Failed to load resource/)
  const { page } = at
  await signUp(page, bea)
  await page.goto(linkIn(await mailbox.waitForMail(bea.email, /^Activate your/)))
  await page.getByText(`The account of ${bea.email} is active.`).waitFor()
  await signInByApi(at.context, server.url, bea)
  for (let placed = 1; placed <= 2; placed++) {
    await orderLarge(page)
    await fillCheckout(page, bea)
    await placeOrder(page)
    await page.getByText('It waits for a click in its email.').waitFor()
  }
  const mail = await mailbox.waitForMail(bea.email, /^Please confirm your order/)

  await page.goto('/user/order')
  const waiting = page.getByRole('region', { name: 'Not confirmed yet' })
  const rows = waiting.getByRole('listitem')
  await eventually(() => rows.count(), 2)
  await rows
    .first()
    .getByText(/It waits until .* you get what is left when it is confirmed\./)
    .waitFor()
  await eventually(() => page.getByText('You have not ordered anything').count(), 0)
  await rows.first().getByRole('button', { name: 'Send the email again' }).click()
  await rows.first().getByText('The email is on its way.', { exact: false }).waitFor()
  await assertAccessibleEverywhere(page)
  await saveScreenshot(page, 'orders-waiting')
  await rows.first().getByRole('button', { name: 'Drop the order' }).click()
  await page.getByRole('button', { name: 'Drop it' }).click()
  await page.getByText('The order is dropped. Nothing was taken for it.').waitFor()
  await eventually(() => rows.count(), 1)
  await eventually(
    () => page.evaluate(() => document.activeElement?.textContent?.startsWith('Order of')),
    true,
    'the focus goes to the one that is left',
  )

  await page.route('**/api/order/waiting/own', (route) => route.abort('failed'))
  await page.getByRole('link', { name: /^Order of / }).click()
  await page.getByRole('heading', { level: 1, name: 'Your order' }).waitFor()
  await page.goBack()
  await page
    .getByText('Orders that wait to be confirmed can’t be shown just now.', { exact: false })
    .waitFor()
  await assertAccessibleEverywhere(page)
  await page.unroute('**/api/order/waiting/own')

  await page.goto(linkIn(mail))
  await press(page, 'Confirm the order')
  const number = await orderShown(page)
  await page.goto('/user/order')
  await page.getByRole('heading', { level: 1, name: 'My Orders' }).waitFor()
  await eventually(() => page.getByRole('link', { name: number }).count(), 1)
  await eventually(() => rows.count(), 0)
})
