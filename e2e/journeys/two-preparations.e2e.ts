import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessibleEverywhere } from '../support/accessible.ts'
import { ann } from '../support/account.ts'
import { registerOnlyBox } from '../support/boxes.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { assertAccessibleAcross, press, visitAsManager } from '../support/manager.ts'
import { callJson, fillCheckout, orderShown, ordersOf, packTyped, placeOrder } from '../support/order.ts'
import { productNamed } from '../support/products.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startForFile, startWithMailbox } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const { server, mailbox } = await startForFile(startWithMailbox())

const FISH = 'Tailor'
const boxID = 'CUT-0002'
const phone = { viewport: { width: 360, height: 740 } }
const offers = 'gutted 85% 0.00, skin-off 45% 4.00'

test('a shopper on a phone has one fish whole and as fillets: cart, order, change, and packing', async () => {
  const fish = await productNamed(server, FISH)
  await registerOnlyBox(server, boxID, FISH)
  // Enough that no guest's share of it is what an order fails for.
  await callJson(server, 'PUT', `/api/product/${fish._id}/boxes`, [{ boxID, quantity: 20 }])
  await callJson(server, 'PATCH', `/api/product/${fish._id}`, { preparations: offers, stock: 20 })

  await using at = await visit(`${server.url}/product/${fish._id}`, phone)
  at.expectProblem(/409/)
  const { page } = at
  await untilHydrated(page)
  const choose = (name: RegExp) => page.getByRole('radio', { name }).check()
  await choose(/^Whole/)
  await page.getByLabel('Quantity, kg').fill('2')
  await press(page, 'Add to Cart')
  await page.getByText('Added. 2 kg in your cart.', { exact: true }).waitFor()
  await choose(/^Fillets, skin off/)
  await page.getByLabel('Quantity, kg').fill('1.5')
  await press(page, 'Add to Cart')
  await page
    .getByText('Added. 3.5 kg in your cart. Of it 2 kg whole; 1.5 kg fillets, skin off.', { exact: true })
    .waitFor()
  await assertAccessibleEverywhere(page)
  await saveScreenshot(page, 'product-two-preparations')

  await page.getByRole('link', { name: 'Go to Cart' }).click()
  const prepared = page.getByLabel(`Prepared: ${FISH}`)
  const shown = () => prepared.evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).value))
  await eventually(shown, ['whole', 'skin-off'])
  const price = (more: number) => `$${(fish.price + more).toFixed(2)}/kg`
  await page.getByText(price(4), { exact: true }).waitFor()
  await assertAccessibleEverywhere(page)
  await saveScreenshot(page, 'cart-two-preparations')
  // The one goes into the other, and out again, also where its field is gone with it.
  await prepared.nth(1).focus()
  await prepared.nth(1).selectOption('whole')
  const merged = page.getByText(`${FISH}, whole, is one line now: 3.5 kg.`)
  await merged.waitFor()
  await eventually(shown, ['whole'])
  await saveScreenshot(page, 'cart-merged-preparations')
  const undo = page.getByRole('button', { name: 'Undo' })
  await eventually(() => undo.evaluate((button) => button === document.activeElement), true)
  await page.keyboard.press('Enter')
  await eventually(shown, ['whole', 'skin-off'])
  await page.reload()
  await eventually(shown, ['whole', 'skin-off'])
  await page.getByLabel(`Quantity of ${FISH} (fillets, skin off)`).waitFor()

  // What one order takes becomes less than both lines are.
  await page.getByRole('button', { name: /^Checkout/ }).click()
  await page.getByText(`${FISH} (fillets, skin off)`).waitFor()
  await fillCheckout(page, ann)
  await page.getByText(/^Kept for you until /).waitFor()
  await callJson(server, 'PATCH', `/api/product/${fish._id}`, { orderLimit: 3 })
  await placeOrder(page)
  await page
    .getByText(`${FISH} (fillets, skin off): one order takes at most 3 kg of it in all`, { exact: false })
    .waitFor()
  await assertAccessibleEverywhere(page)
  await saveScreenshot(page, 'checkout-two-preparations')
  await press(page, 'Take 1 kg')
  await page.getByText(/^Kept for you until /).waitFor()
  await placeOrder(page)
  const number = await orderShown(page)
  await page.getByText('about 450 g of each kilogram; $4.00/kg of its price', { exact: false }).waitFor()
  await assertAccessibleEverywhere(page)
  await saveScreenshot(page, 'order-two-preparations')
  const mail = await mailbox.waitForMail(ann.email, /^Your order BF-/)
  assert.match(mail.text ?? '', /Tailor: about 2 kg[\s\S]*Tailor \(fillets, skin off\): about 1 kg/)

  await callJson(server, 'PATCH', `/api/product/${fish._id}`, { orderLimit: 0 })
  // What two tabs chose for two lines of it is said beside the one that was chosen here.
  const otherTab = await page.context().newPage()
  await otherTab.goto(page.url())
  await untilHydrated(otherTab)
  const inOther = otherTab.getByLabel(`Prepared: ${FISH}`)
  const changeInOther = async (to: string) => {
    await press(otherTab, 'Change order')
    await eventually(() => inOther.count(), 2)
    await inOther.nth(1).selectOption(to)
    await press(otherTab, 'Save changes')
    await otherTab.getByText('Your order was changed.').waitFor()
  }
  await press(page, 'Change order')
  await eventually(shown, ['whole', 'skin-off'])
  await prepared.nth(0).selectOption('gutted')
  await changeInOther('gutted')
  await press(page, 'Save changes')
  const isDouble = page.getByText('Another line of your order is prepared like this by now.', {
    exact: false,
  })
  await isDouble.waitFor()
  await eventually(() => isDouble.count(), 1)
  await assertAccessibleEverywhere(page)
  await saveScreenshot(page, 'order-change-double')
  await prepared.nth(0).selectOption('whole')
  await isDouble.waitFor({ state: 'detached' })
  await press(page, 'Keep as it was')
  await changeInOther('skin-off')
  await otherTab.close()
  await page.reload()
  await untilHydrated(page)

  await press(page, 'Change order')
  const more = page.getByRole('button', { name: `One more ${FISH} (fillets, skin off)` })
  await more.click()
  await eventually(shown, ['whole', 'skin-off'])
  const taken = prepared.nth(0).locator('option', { hasText: 'Fillets, skin off' })
  await eventually(() => taken.isDisabled(), true, 'an order has each once')
  await page.getByLabel('Add a product').fill(FISH)
  await page
    .getByRole('list', { name: 'Products found' })
    .getByRole('button', { name: new RegExp(`${FISH}.*Add`, 's') })
    .click()
  await eventually(shown, ['whole', 'skin-off', 'gutted'])
  await assertAccessibleEverywhere(page)
  await saveScreenshot(page, 'order-change-two-preparations')
  await press(page, 'Save changes')
  await page.getByText('Your order was changed.').waitFor()
  await page.getByText(/Tailor \(fillets, skin off\): 1\.25 kg instead of 1 kg/).waitFor()
  await page.getByText(/Tailor \(gilled and gutted\): 1 kg added\./).waitFor()

  const order = (await ordersOf(server)).find((one) => one.number === number)
  await using desk = await visitAsManager(server, `/manage/order/${order?._id}`)
  const { page: manager } = desk
  await untilHydrated(manager)
  await manager.getByLabel(`Net weight in grams of ${FISH}`, { exact: true }).fill('2000')
  await manager.getByLabel(`Net weight in grams of ${FISH} (fillets, skin off)`).fill('1200')
  await manager.getByLabel(`Net weight in grams of ${FISH} (gilled and gutted)`).fill('1000')
  const from = manager.getByLabel(`From box ${boxID}`)
  await eventually(
    () => from.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value)),
    ['2000', '1200', '1000'],
  )
  await assertAccessibleAcross(manager)
  await saveScreenshot(manager, 'manage-order-two-preparations')
  await packTyped(manager, server, order?._id)
})
