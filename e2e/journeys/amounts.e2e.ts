import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessibleEverywhere } from '../support/accessible.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { linesOf, openCart, quantityIs } from '../support/cart.ts'
import { assertAccessibleAcross, desktop, press, visitAsManager } from '../support/manager.ts'
import { callJson } from '../support/order.ts'
import { editOf, productNamed } from '../support/products.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())
const FISH = 'Vongole'

const phone = { viewport: { width: 360, height: 740 } }

/** Text of the button that adds, with its total. */
const onButton = (page: Page): Promise<string> =>
  page.getByRole('button', { name: 'Add to Cart' }).innerText()

const dollars = (amount: number): string => `$${(Math.round(amount * 100) / 100).toFixed(2)}`

test('of whole fish one chooses by the piece, in what is sold; small ones go by the kilo, with how many that are', async () => {
  const chips = async (title: string): Promise<string[]> => {
    const { _id } = await productNamed(server, title)
    await using at = await visit(`${server.url}/product/${_id}`, phone)
    const amounts = at.page.getByRole('group', { name: 'Usual amounts' }).getByRole('button')
    await amounts.first().waitFor()
    return amounts.allInnerTexts()
  }
  assert.deepEqual(await chips('Snapper, whole'), [
    '1 kg, about 1 piece',
    '1.75 kg, about 2 pieces',
    '3.5 kg, about 4 pieces',
  ])
  assert.deepEqual((await chips('Australian sardine')).slice(0, 2), [
    '250 g, about 5 pieces',
    '500 g, about 10 pieces',
  ])
  assert.deepEqual(await chips(FISH), ['250 g', '500 g', '1 kg', '2 kg'])
})

test('half a kilo is chosen, its total stands on the button, and the cart has it; what is wrong is said in view', async () => {
  const fish = await productNamed(server, FISH)
  await using at = await visit(`${server.url}/product/${fish._id}`, phone)
  const { page } = at
  await untilHydrated(page)
  await press(page, '500 g')
  await eventually(() => page.getByLabel(/^Quantity, /).inputValue(), '0.5')
  await eventually(
    async () => (await onButton(page)).replace(/\s+/g, ' '),
    `Add to Cart 500 g · ${dollars(fish.price / 2)}`,
  )
  await press(page, 'More')
  await eventually(() => page.getByLabel(/^Quantity, /).inputValue(), '0.75')
  for (const typed of ['0.3', '0', '-1', '1,5', '0.0001', '1e9', 'NaN']) {
    await page.getByLabel(/^Quantity, /).fill(typed)
    const said = page.getByText('Type kilograms in steps of 0.25, as in 0.5.')
    await said.waitFor()
    const [field, words] = [await page.getByLabel(/^Quantity, /).boundingBox(), await said.boundingBox()]
    assert.ok(field && words && words.y - (field.y + field.height) < 60, 'at the field')
    assert.ok(words.y + words.height <= 740, `in view: ${words.y}`)
    await press(page, 'Add to Cart')
  }
  await assertAccessibleEverywhere(page)
  await press(page, '500 g')
  await press(page, 'Add to Cart')
  await page.getByText('Added. 500 g in your cart.').waitFor()
  assert.equal(await page.getByLabel(/^Quantity, /).inputValue(), '0.5', 'what is chosen stays chosen')
  await page.getByRole('link', { name: 'Go to Cart' }).click()
  await quantityIs(page, FISH, 0.5)
  await press(page, `One more ${FISH}`)
  await quantityIs(page, FISH, 0.75)
  await page
    .getByRole('region', { name: 'Totals' })
    .getByText(dollars(fish.price * 0.75))
    .first()
    .waitFor()
})

test('staff make a step coarser: a cart with less keeps it, says so at the line, and is right again after a press', async () => {
  const fish = await productNamed(server, FISH)
  await using shopper = await visit(server.url, desktop)
  const [line] = await linesOf(server, [FISH])
  await openCart(shopper.page, [{ ...line, quantity: 0.75 }])
  await quantityIs(shopper.page, FISH, 0.75)

  await using at = await visitAsManager(server, `/manage/product?q=${FISH}`)
  await press(at.page, `Edit ${FISH}`)
  const form = editOf(at.page, FISH)
  await form.getByLabel('Bought in steps of').selectOption('500 g')
  await form.getByRole('button', { name: 'Save' }).click()
  await eventually(
    async () => (await (await fetch(`${server.url}/api/product/${fish._id}`)).json()).step,
    0.5,
  )

  const { page } = shopper
  await page.reload()
  await page.getByText(`${FISH} is now sold in steps of 500 g: please change your 750 g.`).waitFor()
  await page.getByText('750 g is not on sale any more: change it in steps of 500 g.').waitFor()
  await quantityIs(page, FISH, 0.75)
  await assertAccessibleAcross(page)
  await press(page, `One more ${FISH}`)
  await quantityIs(page, FISH, 1)
  await page.getByText('is not on sale any more').waitFor({ state: 'detached' })
  await callJson(server, 'PATCH', `/api/product/${fish._id}`, { step: 0.25 })
})
