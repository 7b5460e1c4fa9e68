import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessibleEverywhere } from '../support/accessible.ts'
import { ann, linkIn } from '../support/account.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { quantityIs } from '../support/cart.ts'
import { desktop, press } from '../support/manager.ts'
import {
  callJson,
  fillCheckout,
  firstTime,
  openCheckout,
  orderShown,
  ordersOf,
  placeOrder,
} from '../support/order.ts'
import { productNamed } from '../support/products.ts'
import { startForFile, startWithMailbox } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const phone = { viewport: { width: 360, height: 740 }, network: 'fast' } as const
/** Width of A4 between its margins of 12 mm, at 96 px an inch. */
const PAPER = { width: 703, height: 1032 }

const { server, mailbox } = await startForFile(startWithMailbox())

test('a guest orders on a phone: what is missing is said, a reload keeps what was typed, two presses order once', async () => {
  await using at = await visit(server.url, phone)
  at.expectProblem(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  const { page } = at
  await openCheckout(page, server, ['Pipis', 'Vongole'])
  await page.getByText(/^Kept for you until /).waitFor()
  await placeOrder(page)
  for (const text of ['first name is required', 'enter valid email address', 'choose a time'])
    await page.getByText(text).waitFor()
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('name')), 'fname')
  await assertAccessibleEverywhere(page)

  await fillCheckout(page, ann)
  await page.getByLabel('Delivery').check()
  await page.getByLabel('Street and number').fill('1 Bank St')
  await page.getByLabel('Suburb').fill('Pyrmont')
  await page.getByLabel('Postcode').fill('0800')
  await page.getByText('We don’t deliver to 0800. Choose pick-up, or another address.').waitFor()
  await page.getByLabel('Postcode').fill('2009')
  await firstTime(page).check()
  await page.getByLabel('Note (optional)').fill('Ring twice')
  await page.reload()
  await page.getByText(/^Kept for you until /).waitFor()
  await eventually(() => page.getByLabel('Postcode').inputValue(), '2009')
  await eventually(() => firstTime(page).isChecked(), true)
  await page.getByRole('button', { name: 'Place order' }).dblclick()
  const number = await orderShown(page)
  assert.equal((await ordersOf(server)).length, 1)
  await page.getByText('1 Bank St, Pyrmont NSW 2009').waitFor()
  assert.match(page.url(), /\?key=/)
  await assertAccessibleEverywhere(page)

  await page.goBack()
  await page.goto('/cart')
  await page.getByText('Cart is empty').waitFor()

  const mail = await mailbox.waitForMail(ann.email, /^Your order BF-/)
  await page.goto(linkIn(mail))
  assert.equal(await orderShown(page), number)
  await untilHydrated(page)
  await page.getByText('Is this order yours?').waitFor()
  await assertAccessibleEverywhere(page)
  await press(page, 'Yes, it is mine')
  await page.getByText('Is this order yours?').waitFor({ state: 'detached' })
  const vongole = await productNamed(server, 'Vongole')
  await callJson(server, 'PATCH', `/api/product/${vongole._id}`, { stock: 0 })
  await press(page, 'Buy again')
  await page.getByText('Vongole is out of stock.').waitFor()
  await callJson(server, 'PATCH', `/api/product/${vongole._id}`, { stock: vongole.stock })

  await press(page, 'Change order')
  await page.getByRole('heading', { name: 'Change your order' }).waitFor()
  await press(page, 'One more Pipis')
  await press(page, 'Take Vongole out')
  const search = page.getByLabel('Add a product')
  await search.fill('zzzz')
  await page.getByText('No product on sale matches.').waitFor()
  await search.fill('pipis')
  await page.getByRole('button', { name: /^Pipis .*In your order/ }).waitFor()
  await search.fill('blue mussels')
  await search.press('Enter')
  await page.getByRole('button', { name: /^Blue mussels .*Add$/ }).click()
  await page.getByText('Blue mussels was added to the list.').waitFor()
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('type')), 'search')
  await press(page, 'One more Blue mussels')
  await page.getByLabel('Note (optional)').fill('Ring once')
  await assertAccessibleEverywhere(page)
  await page.context().setOffline(true)
  await press(page, 'Save changes')
  await page.getByText(/No connection to the shop/).waitFor()
  await page.context().setOffline(false)
  assert.equal(await page.getByLabel('Note (optional)').inputValue(), 'Ring once', 'what was typed stays')
  await press(page, 'Save changes')
  await page.getByText('Your order was changed.').waitFor()
  await page.getByText('Ring once').waitFor()
  await page.getByRole('heading', { name: 'Blue mussels' }).waitFor()
  const changed = await mailbox.waitForMail(ann.email, /was changed$/)
  assert.match(changed.text ?? '', /Pipis: .* instead of .* Vongole: taken out\. Blue mussels: .* added\./)

  await press(page, 'Change order')
  await page.getByLabel('How you get it').selectOption('pickup')
  assert.equal(await page.getByLabel('Street and number').count(), 0)
  await press(page, 'Save changes')
  await page.getByText('choose a time', { exact: true }).waitFor()
  await eventually(() => page.evaluate(() => document.activeElement?.tagName), 'SELECT', 'what is wrong')
  await page.getByLabel('Time', { exact: true }).selectOption({ index: 1 })
  await assertAccessibleEverywhere(page)
  await press(page, 'Save changes')
  await page.getByText(/Changed\. Pick-up instead of delivery\. Moved from/).waitFor()
  await press(page, 'Change order')
  await page.getByLabel('How you get it').selectOption('delivery')
  await page.getByLabel('Street and number').fill('2 Bank St')
  await page.getByLabel('Suburb').fill('Pyrmont')
  await page.getByLabel('Postcode').fill('2009')
  await page.getByLabel('Time', { exact: true }).selectOption({ index: 1 })
  await press(page, 'Save changes')
  await page.getByText('2 Bank St, Pyrmont NSW 2009').waitFor()

  await press(page, 'Cancel order')
  await page.getByLabel('Why (optional)').fill('Away that day')
  await press(page, 'Cancel the order')
  await page.getByText('Cancelled').first().waitFor()
  await page.getByText(/Away that day/).waitFor()
  await eventually(() => page.getByRole('button', { name: 'Cancel order' }).count(), 0)
  await page.getByRole('link', { name: 'Go to Cart' }).click()
  await quantityIs(page, 'Pipis', 1)
})

test('price, stock and slot that changed meanwhile are told line by line, and what can be done', async () => {
  await using at = await visit(server.url, desktop)
  at.expectProblem(/409/)
  const { page } = at
  const [pipis, mussels] = [await productNamed(server, 'Pipis'), await productNamed(server, 'Blue mussels')]
  await openCheckout(page, server, ['Pipis', 'Blue mussels'])
  await fillCheckout(page, ann)
  await page.getByText(/^Kept for you until /).waitFor()
  const change = (id: string, fields: object) => callJson(server, 'PATCH', `/api/product/${id}`, fields)
  await change(pipis._id, { price: pipis.price + 1 })
  await placeOrder(page)
  await page.getByText('A price changed. Nothing was ordered.').waitFor()
  const dollars = (price: number) => `$${price.toFixed(2)}`
  await page
    .getByText(`The price of Pipis went from ${dollars(pipis.price)} to ${dollars(pipis.price + 1)}.`)
    .waitFor()

  await change(mussels._id, { stock: 0 })
  await placeOrder(page)
  await page.getByText('Blue mussels: sold out, or not on sale just now.').waitFor()
  await press(page, 'Remove Blue mussels')
  await page.getByText('Not all of it is there any more').waitFor({ state: 'detached' })

  const slot = await firstTime(page).inputValue()
  await callJson(server, 'PATCH', `/api/slot/${slot}`, { closed: true })
  const before = (await ordersOf(server)).length
  await placeOrder(page)
  await page.getByText('This time is closed to new orders. Please choose another.').first().waitFor()
  await page.locator(`input[value="${slot}"]`).waitFor({ state: 'detached' })
  assert.equal((await ordersOf(server)).length, before)
  await firstTime(page).check()
  await placeOrder(page)
  await orderShown(page)
  await callJson(server, 'PATCH', `/api/slot/${slot}`, { closed: false })
  await change(mussels._id, { stock: mussels.stock })
})

test('who orders before the answer to their own hold came does not stand in their own way', async () => {
  const fish = await productNamed(server, 'Mirror dory')
  const change = (stock: number) => callJson(server, 'PATCH', `/api/product/${fish._id}`, { stock })
  await change(1)
  await using at = await visit(server.url, desktop)
  const { page } = at
  let held = false
  await page.route('**/api/order/hold', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    held = true // and its answer is on its way for as long as the page is open
  })
  await openCheckout(page, server, ['Mirror dory'])
  await fillCheckout(page, ann)
  await eventually(async () => held, true)
  await placeOrder(page)
  await orderShown(page)
  await change(fish.stock)
})

test('without an answer it is not known whether the order arrived: it is tried again, also after a reload, and placed once', async () => {
  await using at = await visit(server.url, phone)
  at.expectProblem(/ERR_FAILED|ERR_INTERNET|Failed to load/)
  const { page } = at
  await openCheckout(page, server, ['Pipis'])
  await fillCheckout(page, ann)
  const before = (await ordersOf(server)).length
  // The order arrives, and its answer gets lost.
  await page.route('**/api/order', async (route) => {
    if (route.request().method() === 'POST') await route.fetch()
    await route.abort()
  })
  await placeOrder(page)
  const unknown = page.getByText('We don’t know yet whether your order got through.')
  await unknown.waitFor()
  await eventually(() => page.getByLabel('First name').isDisabled(), true)
  assert.equal((await ordersOf(server)).length, before + 1)
  await page.reload()
  await unknown.waitFor()
  await page.unroute('**/api/order')
  await press(page, 'Try again')
  const number = await orderShown(page)
  const orders = await ordersOf(server)
  assert.deepEqual([orders.length, orders[0]?.number], [before + 1, number])
})

test('the buyer is asked for more than was agreed, and sees weights and boxes, also on one page of A4', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  const title = 'Snapper, box from Coffs Harbour'
  await openCheckout(page, server, [title])
  await fillCheckout(page, ann)
  await placeOrder(page)
  await orderShown(page)
  const [order] = await ordersOf(server)
  const boxes = [{ boxID: '0345579444', amount: 1_337 }]
  await callJson(server, 'PUT', `/api/order/${order?._id}/packing`, {
    lines: [{ position: 1, grams: 1_337, boxes }],
  })
  await page.reload()
  await page.getByText(/^It weighs more than you ordered\. Do you agree to \$/).waitFor()
  await untilHydrated(page)
  await page.getByRole('button', { name: /^Accept \$/ }).click()
  await page.getByText(/^It weighs more than/).waitFor({ state: 'detached' })
  await callJson(server, 'PATCH', `/api/order/${order?._id}`, { status: 'PACKED' })
  await page.reload()
  await page.getByText('1,337 g net').waitFor()
  await page.getByText('when it was packed').waitFor()
  await assertAccessibleEverywhere(page)
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize(PAPER)
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  assert.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 1)
  await page.emulateMedia({ media: null })
  await page.setViewportSize(desktop.viewport)
  await page.getByRole('link', { name: /^Record \d+ of its history$/ }).click()
  await page.waitForURL((url) => url.pathname === '/SFMBox/byId/0345579444')
  await page.locator(new URL(page.url()).hash).getByText('Sold').waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'See its journey' }).click()
  await page.waitForURL((url) => url.pathname === '/SFMBox/byId/0345579444')
})
