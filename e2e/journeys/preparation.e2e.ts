import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessibleEverywhere } from '../support/accessible.ts'
import { ann } from '../support/account.ts'
import { registerOnlyBox } from '../support/boxes.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { assertAccessibleAcross, press, visitAsManager } from '../support/manager.ts'
import { callJson, fillCheckout, orderShown, ordersOf, packTyped, placeOrder } from '../support/order.ts'
import { editOf, productNamed } from '../support/products.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startForFile, startWithMailbox } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const { server, mailbox } = await startForFile(startWithMailbox())

const FISH = 'Tailor'
const boxID = 'CUT-0001'
const phone = { viewport: { width: 360, height: 740 } }

test('staff offer fillets, a shopper chooses them on a phone and orders, and whoever packs is told', async () => {
  const fish = await productNamed(server, FISH)
  await registerOnlyBox(server, boxID, FISH)
  // Enough that no guest's share of it is what an order fails for.
  await callJson(server, 'PUT', `/api/product/${fish._id}/boxes`, [{ boxID, quantity: 20 }])
  await using desk = await visitAsManager(server, `/manage/product?q=${FISH}`)
  const { page: manager } = desk
  await press(manager, `Edit ${FISH}`)
  const form = editOf(manager, FISH)
  for (const [name, left, fee] of [
    ['Gilled and gutted', '85', '0'],
    ['Fillets, skin off', '', '4.00'],
  ] as const) {
    const group = form.getByRole('group', { name, exact: true })
    await group.getByRole('checkbox').check()
    await group.getByLabel('Yield, percent').fill(left)
    await group.getByLabel('Fee, dollars').fill(fee)
  }
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('yield must be', { exact: false }).waitFor()
  const last = form.getByRole('group', { name: 'Fillets, skin off', exact: true })
  await last.getByLabel('Yield, percent').fill('45')
  await assertAccessibleAcross(manager)
  await saveScreenshot(manager, 'manage-product-preparations')
  await form.getByRole('button', { name: 'Save' }).click()
  const offered = async () =>
    (await (await fetch(`${server.url}/api/product/${fish._id}`)).json()).preparations
  await eventually(async () => (await offered()).length, 2)

  await using at = await visit(`${server.url}/product/${fish._id}`, phone)
  at.expectProblem(/409/)
  const { page } = at
  const choice = page.getByRole('group', { name: 'How would you like it?' })
  await choice.getByText('about 450 g of each kilogram, +$4.00/kg').waitFor()
  await choice.getByText('about 850 g of each kilogram, no extra charge').waitFor()
  await untilHydrated(page)
  const whole = choice.getByRole('radio', { name: /^Whole/ })
  assert.ok(await whole.isChecked())
  await eventually(() => whole.isEnabled(), true, 'its script comes after the page’s')
  await whole.focus()
  await page.keyboard.press('ArrowUp')
  await eventually(() => choice.getByRole('radio', { name: /^Fillets, skin off/ }).isChecked(), true)
  const price = `$${(fish.price + 4).toFixed(2)}`
  const button = page.getByRole('button', { name: 'Add to Cart' })
  await eventually(async () => (await button.innerText()).replace(/\s+/g, ' '), `Add to Cart 1 kg · ${price}`)
  await assertAccessibleEverywhere(page)
  await saveScreenshot(page, 'product-preparation')
  await button.click()
  await page.getByText('Added. 1 kg in your cart.').waitFor()
  await page.reload()
  await untilHydrated(page)
  await eventually(() => choice.getByRole('radio', { name: /^Fillets/ }).isChecked(), true, 'as in the cart')
  await press(page, 'Add to Cart')
  await page.getByText('Added. 2 kg in your cart.').waitFor()
  await page.getByRole('link', { name: 'Go to Cart' }).click()
  const prepared = page.getByLabel(`Prepared: ${FISH}`)
  await eventually(() => prepared.inputValue(), 'skin-off')
  await page.getByText(`${price}/kg`, { exact: true }).waitFor()
  await assertAccessibleEverywhere(page)
  await saveScreenshot(page, 'cart-preparation')
  await prepared.selectOption({ label: 'Gilled and gutted, no extra charge' })
  await page.getByText(`$${fish.price.toFixed(2)}/kg`, { exact: true }).waitFor()
  await page.reload()
  await eventually(() => prepared.inputValue(), 'gutted')
  await prepared.selectOption('skin-off')
  await page.getByText(`${price}/kg`, { exact: true }).waitFor()

  await page.getByRole('button', { name: /^Checkout/ }).click()
  await page.getByText(`${FISH} (fillets, skin off)`).waitFor()
  await fillCheckout(page, ann)
  await page.getByText(/^Kept for you until /).waitFor()
  await callJson(server, 'PATCH', `/api/product/${fish._id}`, {
    preparations: 'gutted 85% 0.00, skin-off 45% 5.00',
  })
  await placeOrder(page)
  await page.getByText('A price changed. Nothing was ordered.').waitFor()
  await page.getByText(`The price of ${FISH} (fillets, skin off) went from`, { exact: false }).waitFor()
  await page.getByText(/^Kept for you until /).waitFor()
  await placeOrder(page)
  const number = await orderShown(page)
  await page.getByText('about 450 g of each kilogram; $5.00/kg of its price', { exact: false }).waitFor()
  await assertAccessibleEverywhere(page)
  await saveScreenshot(page, 'order-preparation')
  const mail = await mailbox.waitForMail(ann.email, /^Your order BF-/)
  assert.match(mail.text ?? '', /Tailor \(fillets, skin off\)/)

  for (const [kind, said] of [
    ['gutted', /Tailor: gilled and gutted, instead of fillets, skin off\./],
    ['skin-off', /Tailor: fillets, skin off, instead of gilled and gutted\./],
  ] as const) {
    await press(page, 'Change order')
    await eventually(() => prepared.locator('option').count(), 3)
    await prepared.selectOption(kind)
    await page.getByText(/^About \$[\d.]+, instead of/).waitFor()
    await assertAccessibleEverywhere(page)
    await saveScreenshot(page, `order-preparation-${kind}`)
    await press(page, 'Save changes')
    await page.getByText('Your order was changed.').waitFor()
    await page.getByText(said).waitFor()
  }

  const preparationsAre = (preparations: string) =>
    callJson(server, 'PATCH', `/api/product/${fish._id}`, { preparations })
  await press(page, 'Change order')
  await eventually(() => prepared.locator('option').count(), 3)
  await prepared.selectOption('gutted')
  await preparationsAre('skin-off 45% 5.00')
  await press(page, 'Save changes')
  await page.getByText(`${FISH} is not sold as “Gilled and gutted” any more.`, { exact: false }).waitFor()
  await prepared.locator('option', { hasText: 'Gilled and gutted, not offered any more' }).waitFor({
    state: 'attached',
  })
  assert.equal(await prepared.inputValue(), 'gutted', 'what was chosen is shown until another is')
  await prepared.selectOption('skin-off')
  await press(page, 'Save changes')
  await page.getByRole('button', { name: 'Change order' }).waitFor()
  await preparationsAre('gutted 85% 0.00, skin-off 45% 5.00')

  const order = (await ordersOf(server)).find((one) => one.number === number)
  const { slot } = await callJson(server, 'GET', `/api/order/${order?._id}/manage`)
  await manager.goto(`/manage/slot/${slot._id}`)
  await manager
    .getByRole('table', { name: 'Picking list' })
    .getByText(`${FISH} (fillets, skin off)`)
    .waitFor()
  await manager.goto(`/manage/order/${order?._id}`)
  await untilHydrated(manager)
  await manager.getByText('Fillets, skin off: weigh it whole first').first().waitFor()
  await manager.getByLabel(`Net weight in grams of ${FISH}`).fill('2000')
  await eventually(() => manager.getByLabel(`From box ${boxID}`).inputValue(), '2000')
  await assertAccessibleAcross(manager)
  await saveScreenshot(manager, 'manage-order-preparation')
  await packTyped(manager, server, order?._id)
  await page.reload()
  await page.getByText('weighed whole', { exact: false }).first().waitFor()
})

test('what ends while it is in a cart is said there, and stays whole', async () => {
  const fish = await productNamed(server, FISH)
  await using at = await visit(`${server.url}/product/${fish._id}`, phone)
  const { page } = at
  await untilHydrated(page)
  await page.getByRole('radio', { name: /^Fillets, skin off/ }).check()
  await press(page, 'Add to Cart')
  await page.getByText('Added. 1 kg in your cart.').waitFor()
  await callJson(server, 'PATCH', `/api/product/${fish._id}`, { preparations: '' })
  await page.goto('/cart')
  await page
    .getByText(`${FISH} is no longer sold as “Fillets, skin off”: in your cart it is whole now`, {
      exact: false,
    })
    .waitFor()
  await assertAccessibleEverywhere(page)
  await page.goto(`${server.url}/product/${fish._id}`)
  await untilHydrated(page)
  assert.equal(await page.getByRole('group', { name: 'How would you like it?' }).count(), 0)
})
