import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessibleEverywhere } from '../support/accessible.ts'
import { ann } from '../support/account.ts'
import { visit } from '../support/browser.ts'
import { linesOf, openCart } from '../support/cart.ts'
import { desktop } from '../support/manager.ts'
import { callJson, fillCheckout, orderShown, placeOrder } from '../support/order.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const FISH = 'Snapper, box from Coffs Harbour'
const BOX = '0345579444'
/** Longer than an open page takes to ask again. */
const AGAIN_MS = 61_000

const server = await startForFile(startServer())

const setOffSale = (offSale: boolean) =>
  callJson(server, 'PUT', `/api/box/${BOX}/sale`, { offSale, reason: 'Warm on the road' })

test('each line of cart, checkout and order says how fresh its fish is and from which box, and takes it back', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  await page.clock.install()
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/product/')) asked.push(request.url())
  })
  await openCart(page, await linesOf(server, [FISH, 'Pipis']))
  const main = page.getByRole('main')
  const line = (title: string) => main.getByRole('listitem').filter({ hasText: title })
  await line(FISH)
    .getByText(/^best by \w{3} \d+ \w{3}$/)
    .waitFor()
  await line(FISH).getByText('Stayed cold: never above 5 °C.').waitFor()
  await main.getByText(/What you get may come from another box/).waitFor()
  assert.equal(
    await line('Pipis')
      .getByText(/best by|box|Stayed/)
      .count(),
    0,
    'untracked: no label either',
  )
  assert.equal(asked.length, 1, 'by the request that the cart makes anyway')
  await assertAccessibleEverywhere(page)

  await page.getByRole('button', { name: 'Checkout as a Guest' }).click()
  await page.getByRole('button', { name: 'Place order' }).waitFor()
  await line(FISH)
    .getByText(/^best by /)
    .waitFor()
  await main.getByRole('link', { name: 'Privacy' }).waitFor()
  await assertAccessibleEverywhere(page)
  await setOffSale(true)
  await page.clock.fastForward(AGAIN_MS)
  await eventually(() => main.getByText(/best by|Stayed cold/).count(), 0)
  assert.equal(await line(FISH).count(), 1, 'what is ordered stays as it was read')

  await setOffSale(false)
  await page.goto('/cart')
  await line(FISH)
    .getByText(/^best by /)
    .waitFor()
  await setOffSale(true)
  await page.clock.fastForward(AGAIN_MS)
  await page.getByText(`${FISH} is not on sale just now and was taken out of your cart.`).waitFor()
  await setOffSale(false)

  await openCart(page, await linesOf(server, [FISH]))
  await main.getByRole('link', { name: `box ${BOX}` }).click()
  await page.waitForURL((url) => url.pathname === `/SFMBox/byId/${BOX}`)
  await page.goto('/checkout')
  await fillCheckout(page, ann)
  await placeOrder(page)
  await orderShown(page)
  await main.getByText(/^Not packed yet\. At the moment the freshest is box/).waitFor()
  await main.getByText('Stayed cold: never above 5 °C.').waitFor()
  await assertAccessibleEverywhere(page)
})
