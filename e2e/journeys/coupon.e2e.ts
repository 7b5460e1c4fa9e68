import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessibleEverywhere } from '../support/accessible.ts'
import { ann, linkIn, type Person, signInByApi, signUp } from '../support/account.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { linesOf, openCart } from '../support/cart.ts'
import { assertAccessibleAcross, desktop, press, rowsOf, visitAsManager } from '../support/manager.ts'
import {
  callJson,
  fillCheckout,
  firstTime,
  openCheckout,
  orderShown,
  ordersOf,
  placeOrder,
} from '../support/order.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startForFile, startWithMailbox } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const mia: Person = { ...ann, fname: 'Mia', email: 'mia@example.com' }

const { server, mailbox } = await startForFile(startWithMailbox())

test('a manager makes a coupon for a product, and a shopper uses it: at the checkout, on the order, in the email', async () => {
  await using desk = await visitAsManager(server, '/manage/offer')
  const { page: manager } = desk
  const form = manager.getByRole('form', { name: 'Create coupon' })
  await form.getByRole('button', { name: 'Create coupon' }).click()
  await form.getByText(/^a code has at least 3 characters$/).waitFor()
  await form.getByLabel('Code').fill('pipi-10')
  await form.getByLabel('Percent', { exact: true }).fill('10')
  await form.getByLabel('Uses in all (optional)').fill('1')
  await manager.getByLabel('For', { exact: true }).selectOption('Some products')
  await manager.getByLabel('Find a product').fill('Pipis')
  await manager.getByRole('button', { name: 'Find' }).click()
  await manager.getByRole('button', { name: 'Add Pipis' }).click()
  await manager.getByRole('button', { name: 'Remove Pipis' }).waitFor()
  await assertAccessibleAcross(manager)
  await saveScreenshot(manager, 'manage-offer')
  await form.getByRole('button', { name: 'Create coupon' }).click()
  await manager.getByText('Created PIPI-10.').waitFor()
  const row = rowsOf(manager, 'Coupons').filter({ hasText: 'PIPI-10' })
  await row.getByText('0 of 1').waitFor()

  await using at = await visit(server.url, { viewport: { width: 360, height: 740 } })
  at.expectProblem(/409/)
  const { page } = at
  await openCheckout(page, server, ['Pipis', 'Vongole'])
  await page.getByText('Coupon', { exact: true }).click()
  const code = page.getByLabel('Coupon code')
  await fillCheckout(page, ann)
  await code.fill('none-such')
  await press(page, 'Place order')
  await page.getByRole('status').filter({ hasText: 'Apply this code, or clear it' }).waitFor()
  await press(page, 'Apply')
  await page.getByText('There is no coupon with this code.').waitFor()
  await code.fill('Pipi-10')
  await code.press('Enter')
  await page.getByText(/^PIPI-10 takes \$\d+\.\d\d off\.$/).waitFor()
  await page.getByText('Coupon PIPI-10', { exact: true }).waitFor()
  await assertAccessibleEverywhere(page)
  await saveScreenshot(page, 'checkout-coupon')
  await page.reload()
  await page.getByText(/^PIPI-10 takes /).waitFor()
  await untilHydrated(page)
  await fillCheckout(page, ann)
  await placeOrder(page)
  await orderShown(page)
  const [order] = await ordersOf(server)
  const { totals } = await callJson(server, 'GET', `/api/order/${order?._id}/manage`)
  const off = `$${(totals.coupon / 100).toFixed(2)}`
  assert.ok(totals.coupon > 0 && totals.total === totals.subtotal - totals.savings - totals.coupon)
  const sums = page.locator('dl').filter({ hasText: 'Coupon PIPI-10' })
  await sums.getByText(`-${off}`).waitFor()
  await assertAccessibleEverywhere(page)
  const mail = await mailbox.waitForMail(ann.email, /^Your order BF-/)
  assert.match(mail.text ?? '', /Coupon PIPI-10/)
  assert.ok(mail.text?.includes(`-${off}`), mail.text)

  await manager.reload()
  await untilHydrated(manager)
  await row.getByText('1 of 1').waitFor()
  await row.getByText('used up').waitFor()
  await row.getByText(`${off} taken off`).waitFor()
  await press(manager, 'End PIPI-10')
  await row.getByText('ended', { exact: true }).waitFor()
  await press(manager, 'Allow again PIPI-10')
  await eventually(() => row.getByText('ended', { exact: true }).count(), 0)
})

test('a coupon is typed in the cart, follows what changes there, goes along to the checkout, and is taken out again', async () => {
  const { _id } = await callJson(server, 'POST', '/api/coupon', {
    code: 'cart-20',
    percent: 20,
    minimum: 3_000,
  })
  await using at = await visit(server.url, { viewport: { width: 360, height: 740 } })
  at.expectProblem(/409/)
  const { page } = at
  await openCart(page, await linesOf(server, ['Pipis']))
  await page.getByText('Coupon', { exact: true }).click()
  const code = page.getByLabel('Coupon code')
  await code.fill('cart-20')
  await press(page, 'Apply')
  await page.getByText(/^This coupon needs \$30\.00/).waitFor()
  const sums = page.locator('dl').filter({ hasText: 'Subtotal' })
  const more = page.getByLabel('Quantity of Pipis')
  await more.fill('2')
  await more.blur()
  await code.fill('cart-20')
  await code.press('Enter')
  await sums.getByText('-$10.80').waitFor()
  await assertAccessibleEverywhere(page)
  await saveScreenshot(page, 'cart-coupon')
  await more.fill('3')
  await more.blur()
  await sums.getByText('-$16.20').waitFor()

  const tab = await page.context().newPage()
  await tab.goto(`${server.url}/cart`)
  await untilHydrated(tab)
  await tab.getByLabel('Quantity of Pipis').fill('4')
  await tab.getByLabel('Quantity of Pipis').blur()
  await sums.getByText('-$21.60').waitFor()
  await tab.close()

  await page.getByRole('button', { name: /^Checkout/ }).click()
  await page.getByText('CART-20 takes $21.60 off.').waitFor()
  await page.getByRole('link', { name: 'Change it' }).click()
  await page.getByText('CART-20 takes $21.60 off.').waitFor()
  await callJson(server, 'PATCH', `/api/coupon/${_id}`, { ended: true })
  await page.reload()
  await page.getByText(/^This coupon has ended/).waitFor()
  assert.equal(await sums.getByText('Coupon CART-20').count(), 0)
  await callJson(server, 'PATCH', `/api/coupon/${_id}`, { ended: false })
  await press(page, 'Apply')
  await sums.getByText('-$21.60').waitFor()
  await press(page, 'Remove')
  await eventually(() => sums.getByText('Coupon CART-20').count(), 0)
  await code.fill('cart-20')
  await page.getByRole('button', { name: /^Checkout/ }).click()
  await page.getByText('CART-20 takes $21.60 off.').waitFor()
  await press(page, 'Remove')
  await page.getByRole('link', { name: 'Change it' }).click()
  await page.getByText('Coupon', { exact: true }).click()
  assert.equal(await code.inputValue(), '')
})

test('a coupon for a first order is of the account: who is logged in uses it once, whatever email is typed', async () => {
  await callJson(server, 'POST', '/api/coupon', { code: 'welcome-5', amount: 500, firstOrder: true })
  const { email, password } = mia
  await using at = await visit(server.url, desktop)
  at.expectProblem(/409/)
  const { page, context } = at
  await signUp(page, mia)
  await page.goto(linkIn(await mailbox.waitForMail(email, /^Activate your/)))
  await page.getByText(`The account of ${email} is active.`).waitFor()
  await signInByApi(context, server.url, { email, password })

  await openCheckout(page, server, ['Vongole'])
  await page.getByText('Coupon', { exact: true }).click()
  await page.getByLabel('Coupon code').fill('welcome-5')
  await press(page, 'Apply')
  await page.getByText('WELCOME-5 takes $5.00 off.').waitFor()
  assert.equal(await page.getByLabel('Email').inputValue(), email, 'what the account knows is filled in')
  await firstTime(page).check()
  await placeOrder(page)
  await orderShown(page)
  await page.locator('dl').getByText('Coupon WELCOME-5').waitFor()

  await openCheckout(page, server, ['Vongole'])
  await page.getByText('Coupon', { exact: true }).click()
  await page.getByLabel('Coupon code').fill('welcome-5')
  await press(page, 'Apply')
  await page.getByText('This coupon is only for a first order.').waitFor()
  await page.getByLabel('Email').fill('another.mia@example.com')
  await press(page, 'Apply')
  await page.getByText('This coupon is only for a first order.').waitFor()
})
