import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ann, linkIn } from '../support/account.ts'
import { registerOnlyBox } from '../support/boxes.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { linesOf, openCart } from '../support/cart.ts'
import { assertAccessibleAcross, desktop, openManaged, press, visitAsManager } from '../support/manager.ts'
import { callJson, openCheckout, orderByApi, orderShown, ordersOf } from '../support/order.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startForFile, startWithMailbox } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const FISH = 'Snapper, whole'
const BOX = 'OW-0001'
const REASON = 'Ciguatera was found.'

const { server, mailbox } = await startForFile(startWithMailbox())

test('a recall is previewed, tells the buyer, stops the sale, and is said by the order and by the box, until it is withdrawn', async () => {
  await registerOnlyBox(server, BOX, FISH)
  const order = await orderByApi(server, FISH, 1)
  const lines = [{ position: 1, grams: 1_000, boxes: [{ boxID: BOX, amount: 1_000 }] }]
  await callJson(server, 'PUT', `/api/order/${order._id}/packing`, { lines })
  await callJson(server, 'PATCH', `/api/order/${order._id}`, { status: 'PACKED' })

  await using shopper = await visit(server.url, desktop)
  await openCart(shopper.page, await linesOf(server, [FISH]))

  await using manager = await visitAsManager(server, `/manage/box/${BOX}`, desktop)
  await manager.page.getByText(order.number).first().waitFor()
  await press(manager.page, 'Recall this box')
  await manager.page.getByText(/1 email will be sent now/).waitFor()
  await manager.page
    .getByRole('dialog')
    .getByText(/1 order in the shop has to be decided/)
    .waitFor()
  await saveScreenshot(manager.page, 'manage-recall-dialog')
  await manager.page.getByRole('dialog').getByLabel('Reason').fill(REASON)
  await press(manager.page, 'Recall and send 1 email')
  await manager.page.getByText('This box is recalled').waitFor()

  const mail = await mailbox.waitForMail(ann.email, /^Do not eat it/)
  assert.match(mail.text ?? '', new RegExp(REASON))
  const orderUrl = [...(mail.text ?? '').matchAll(/https?:\/\/\S+/g)]
    .map(([url]) => url)
    .find((url) => url.includes('/user/order/'))
  await using at = await visit(orderUrl ?? linkIn(mail), desktop)
  await at.page.getByText(`This box is recalled, do not eat from it: ${REASON}`).waitFor()
  await at.page.goto(`${server.url}/SFMBox/byId/${BOX}`)
  await at.page.getByText('Recalled: do not eat fish from this box').waitFor()
  await at.page.getByText('Not to be eaten', { exact: false }).first().waitFor()
  await eventually(() => at.page.getByText(/^Best by/).count(), 0)
  await saveScreenshot(at.page, 'box-recalled')

  await shopper.page.reload()
  await shopper.page.getByText(`${FISH} is not on sale just now and was taken out of your cart.`).waitFor()
  await shopper.page.goto(`${server.url}/product?q=${encodeURIComponent(FISH)}`)
  await shopper.page.getByText('Not on sale just now').first().waitFor()
  await saveScreenshot(shopper.page, 'product-not-on-sale')
  await openManaged(manager.page, '/manage/order?status=decide')
  await manager.page.getByRole('link', { name: `Decide ${order.number}` }).click()
  await manager.page.getByText('Cannot leave: recalled.', { exact: false }).waitFor()
  await assertAccessibleAcross(manager.page)
  await saveScreenshot(manager.page, 'manage-order-recalled')
  await eventually(() => manager.page.getByRole('button', { name: 'Ready for pick-up' }).count(), 0)

  await callJson(server, 'POST', `/api/box/${BOX}/recall/withdrawal`, { reason: 'It was another box.' })
  await manager.page.reload()
  await manager.page.getByRole('button', { name: 'Ready for pick-up' }).waitFor()
  await openManaged(manager.page, `/manage/box/${BOX}`)
  await press(manager.page, 'Take off sale')
  await manager.page.getByRole('dialog').getByLabel('Reason').fill('Too warm on the road')
  await manager.page.getByRole('dialog').getByRole('button', { name: 'Take off sale' }).click()
  await manager.page.getByText('This box is off sale').waitFor()
  await saveScreenshot(manager.page, 'manage-box-off-sale')
  await press(manager.page, 'Put back on sale')
  await manager.page.getByText('The box is on sale again.').waitFor()
  await orderByApi(server, FISH, 1)
})

/** Presses Tab until a control with this name has the focus. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const { activeElement: at } = document
      const label = at instanceof HTMLInputElement ? at.labels?.[0]?.textContent : at?.textContent
      return label ?? ''
    })
    if (name.test(focused)) return
  }
  assert.fail(`Tab does not lead to ${name}`)
}

test('the checkout is done by keyboard alone, and Back keeps what was typed', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  await openCheckout(page, server, ['Pipis'])
  for (const [name, text] of [
    [/^First name/, ann.fname],
    [/^Last name/, ann.lname],
    [/^Email/, ann.email],
    [/^Mobile phone/, ann.phone],
  ] as const) {
    await tabTo(page, name)
    await page.keyboard.type(text)
  }
  await page.goBack()
  await page.getByRole('button', { name: /^Checkout/ }).waitFor()
  await page.goForward()
  await page.getByRole('button', { name: 'Place order' }).waitFor()
  await eventually(() => page.getByLabel('Email').inputValue(), ann.email)
  await tabTo(page, /order until/)
  await page.keyboard.press('Space')
  await tabTo(page, /^Place order/)
  await page.keyboard.press('Enter')
  const number = await orderShown(page)
  assert.ok((await ordersOf(server)).some((order) => order.number === number))
})

test('a card is asked for only where it is set up; without an open time nothing is asked, and the cart stays', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  await openCheckout(page, server, ['Pipis'])
  await eventually(() => page.getByText('How you pay').count(), 0)
  for (const { _id } of (await callJson(server, 'GET', '/api/slot/all?when=coming&size=200')).rows)
    await callJson(server, 'PATCH', `/api/slot/${_id}`, { closed: true })
  await page.reload()
  await untilHydrated(page)
  await page.getByText('No time for pick-up or delivery is open at the moment.').waitFor()
  await page.getByRole('link', { name: 'Back to your cart' }).click()
  await page.getByText('Pipis').first().waitFor()
})
