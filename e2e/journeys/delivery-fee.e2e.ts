import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessibleEverywhere } from '../support/accessible.ts'
import { ann } from '../support/account.ts'
import { visit } from '../support/browser.ts'
import { linesOf, openCart } from '../support/cart.ts'
import { assertAccessibleAcross, press, visitAsManager } from '../support/manager.ts'
import { callJson, fillCheckout, firstTime, orderShown, ordersOf, placeOrder } from '../support/order.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startForFile, startWithMailbox } from '../support/start.ts'

const { server, mailbox } = await startForFile(startWithMailbox())

test('a manager says what delivery costs, and a guest finds it in the cart, at the checkout, on the order and in the email', async () => {
  await using desk = await visitAsManager(server, '/manage/site?part=delivery')
  const { page: manager } = desk
  const form = manager.getByRole('form', { name: 'What delivery costs' })
  for (const [i, [name, postcodes]] of [
    ['Inner west', '2007 - 2010'],
    ['Outer', '2100, 20x0'],
  ].entries()) {
    await press(manager, 'Add an area')
    const area = form.getByRole('group').nth(i)
    await area.getByLabel('Name').fill(name ?? '')
    await area.getByLabel('Postcodes').fill(postcodes ?? '')
    await area.getByLabel('Fee, dollars').fill('8.80')
    await area.getByLabel('Minimum').fill('40')
  }
  const save = () => form.getByRole('button', { name: 'Save' }).click()
  await save()
  await form.getByText('“20x0” is no postcode of 4 digits, nor a range as 2006-2010').waitFor()
  await form.getByLabel('Postcodes').last().fill('2009')
  await save()
  await form.getByText('2009 is in Inner west too (2007-2010)').waitFor()
  await form.getByText('2007-2010 is in Outer too (2009)').waitFor()
  await press(manager, 'Remove Outer')
  await form.getByLabel('Free from').fill('200')
  await form
    .getByText('Buyers read: $8.80, free from $200.00 of goods; orders from $40.00 of goods.')
    .waitFor()
  await assertAccessibleAcross(manager)
  await saveScreenshot(manager, 'manage-site-delivery')
  await save()
  await manager.getByText('Saved. Every page shows it now.').waitFor()

  await using at = await visit(server.url, { viewport: { width: 360, height: 740 } })
  at.expectProblem(/400|409/)
  const { page } = at
  await openCart(page, await linesOf(server, ['Pipis']))
  const postcode = page.getByLabel('Your postcode for delivery (optional)')
  await postcode.fill('0800')
  await page.getByText('No delivery goes to 0800 at the moment.').waitFor()
  await postcode.fill('2009')
  const note = page.getByRole('status').filter({ hasText: 'Delivery to 2009 (Inner west): $8.80' })
  await note.filter({ hasText: 'The next is ' }).waitFor()
  await page
    .getByText(/^Orders to 2009 \(Inner west\) are from \$40\.00 of goods: \$\d+\.\d\d more is needed\.$/)
    .waitFor()
  const sums = page.locator('dl').filter({ hasText: 'Delivery' })
  await sums.getByText('$8.80').waitFor()
  await assertAccessibleEverywhere(page)
  await saveScreenshot(page, 'cart-delivery')

  await page.getByRole('button', { name: /^Checkout/ }).click()
  await fillCheckout(page, ann)
  await page.getByLabel('Delivery').check()
  await page.getByLabel('Street and number').fill('1 Bank St')
  await page.getByLabel('Suburb').fill('Pyrmont')
  assert.equal(await page.getByLabel('Postcode').inputValue(), '2009', 'as in the cart')
  await firstTime(page).check()
  await placeOrder(page)
  await page.getByText(/^Orders to 2009 .* more is needed\.$/).waitFor()
  assert.equal((await ordersOf(server)).length, 0)
  await assertAccessibleEverywhere(page)
  await saveScreenshot(page, 'checkout-delivery-minimum')

  await form.getByLabel('Minimum').fill('')
  await form.getByLabel('Fee, dollars').fill('9.90')
  await save()
  await manager.getByText('Version 2, by ').waitFor()
  await placeOrder(page)
  await page.getByText(/The total is \$\d+\.\d\d now, with \$9\.90 for delivery\./).waitFor()
  await sums.getByText('$9.90').first().waitFor()
  await saveScreenshot(page, 'checkout-delivery')
  await placeOrder(page)
  await orderShown(page)
  await sums.getByText('$9.90').first().waitFor()
  const [order] = await ordersOf(server)
  const { totals } = await callJson(server, 'GET', `/api/order/${order?._id}/manage`)
  assert.deepEqual([totals.delivery, totals.total], [990, totals.subtotal - totals.savings + 990])
  const mail = await mailbox.waitForMail(ann.email, /^Your order BF-/)
  assert.match(mail.text ?? '', /Delivery fee:?\s+\$9\.90/)

  await press(page, 'Change order')
  await page.getByLabel('How you get it').selectOption('pickup')
  await page.getByText(/, instead of \$/).waitFor()
  await page.getByLabel('Time', { exact: true }).selectOption({ index: 1 })
  await press(page, 'Save changes')
  await page.getByText(/Delivery costs \$0\.00 instead of \$9\.90\./).waitFor()
  await press(page, 'Change order')
  await page.getByLabel('How you get it').selectOption('delivery')
  await page.getByLabel('Street and number').fill('2 Bank St')
  await page.getByLabel('Suburb').fill('Pyrmont')
  await page.getByLabel('Postcode').fill('2009')
  await page.getByText(/with \$9\.90 for delivery/).waitFor()
  await page.getByLabel('Time', { exact: true }).selectOption({ index: 1 })
  await saveScreenshot(page, 'order-change-delivery')
  await press(page, 'Save changes')
  await page.getByText('2 Bank St, Pyrmont NSW 2009').waitFor()
  await sums.getByText('$9.90').first().waitFor()

  for (const { _id } of await callJson(server, 'GET', '/api/slot?kind=delivery'))
    await callJson(server, 'PATCH', `/api/slot/${_id}`, { closed: true })
  await press(page, 'Change order')
  await page.getByLabel('Postcode').fill('0800')
  await page.getByText('No delivery goes to 0800 at the moment.').waitFor()
  await page.getByLabel('Postcode').fill('2010')
  await page.getByText(/^Delivery to 2010 \(Inner west\): \$9\.90/).waitFor()
  assert.equal(await page.getByText(/^No delivery goes to/).count(), 0, 'the time of the order goes there')
})
