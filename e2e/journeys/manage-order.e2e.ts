import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerOnlyBox } from '../support/boxes.ts'
import { untilHydrated } from '../support/browser.ts'
import { assertAccessibleAcross, openManaged, press, rowsOf, visitAsManager } from '../support/manager.ts'
import { orderByApi, pickupSlots } from '../support/order.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

const FISH = 'Snapper, whole'
const boxID = 'MO-0001'

test('an order is weighed above the tolerance, asked about, weighed again, packed from a box and handed out', async () => {
  await registerOnlyBox(server, boxID, FISH)
  const { number, _id, slot } = await orderByApi(server, FISH, 2)
  const day = new Date(slot.startsAt).toLocaleDateString('sv-SE', { timeZone: slot.timeZone })
  await using at = await visitAsManager(server, `/manage/order?day=${day}`, {
    viewport: { width: 390, height: 844 },
  })
  at.expectProblem(/status of 409/)
  const { page } = at
  await rowsOf(page, 'Orders').filter({ hasText: number }).getByText('to pack').waitFor()
  await page.getByText('2.00 kg').waitFor()
  await saveScreenshot(page, 'manage-order-phone')
  await page.getByRole('link', { name: `Pack ${number}` }).click()
  const weight = page.getByLabel(`Net weight in grams of ${FISH}`)
  await weight.waitFor()
  await eventually(() => page.getByRole('button', { name: 'Pack', exact: true }).isDisabled(), true)
  await weight.fill('2,5')
  await press(page, 'Save weights and boxes')
  await page.getByText('must be a weight in grams').waitFor()
  await weight.fill('2.5 kg')
  await page.getByText(/above what the buyer agreed to/).waitFor()
  await eventually(
    () => page.getByLabel(`From box ${boxID}`).inputValue(),
    '2500',
    'the earliest box is preselected',
  )
  await press(page, `Take out box ${boxID} from ${FISH}`)
  await press(page, 'Save weights and boxes')
  await page.getByText('Name the box it is from.').waitFor()
  await press(page, 'No box…')
  await page.getByLabel('Why is it from no box?').fill('From the counter')
  await press(page, 'Name a box instead')
  await page.getByLabel(`Box number for ${FISH}`).fill('NO-SUCH-BOX')
  at.expectProblem(/status of 404/)
  await press(page, 'Add box')
  await page.getByText('There is no such box', { exact: false }).waitFor()
  await page.getByRole('button', { name: `Box ${boxID}` }).click()
  await eventually(() => page.getByLabel(`From box ${boxID}`).inputValue(), '2500')
  await page.reload()
  await untilHydrated(page)
  await eventually(() => weight.inputValue(), '2.5 kg', 'what was typed outlives a reload')
  await press(page, 'Save weights and boxes')
  await page.getByText('The buyer was asked to accept', { exact: false }).waitFor()
  await eventually(() => page.getByRole('button', { name: 'Pack', exact: true }).isDisabled(), true)
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-order-asked')

  const lines = [{ position: 1, grams: 2_100, boxes: [{ boxID, amount: 2_100 }] }]
  const headers = { 'content-type': 'application/json' }
  const other = await server.call(`/api/order/${_id}/packing`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({ lines }),
  })
  assert.equal(other.status, 200, await other.text())
  await weight.fill('2050')
  await press(page, 'Save weights and boxes')
  await page.getByText('Somebody else changed this in the meantime', { exact: false }).waitFor()
  await page.getByText('Saved: 2,100 g', { exact: false }).waitFor()
  await eventually(() => weight.inputValue(), '2050', 'what was typed stays')
  await press(page, 'Save weights and boxes')
  await page.getByText('Saved: 2,050 g, by Admin Admin', { exact: false }).waitFor()

  await press(page, 'Pack')
  await page.getByRole('dialog').getByRole('button', { name: 'Pack' }).click()
  await page.getByText(/^INV-/).waitFor()
  await press(page, 'Ready for pick-up')
  await page.getByRole('dialog').getByRole('button', { name: 'Ready for pick-up' }).click()
  await press(page, 'Hand out')
  await page.getByRole('dialog').getByRole('button', { name: 'Hand out' }).click()
  await page.getByText('Done: completed.').waitFor()
  await page.getByRole('button', { name: 'Cancel order' }).waitFor({ state: 'detached' })

  await openManaged(page, `/manage/box/${boxID}`)
  await page.getByRole('list', { name: 'Orders from this box' }).getByText(number).waitFor()
  await page.getByText('Record a loss', { exact: true }).click()
  const loss = page.getByRole('form', { name: 'Record a loss' })
  await loss.getByLabel('Amount').fill('0.5 kg')
  await loss.getByRole('button', { name: 'Record the loss' }).click()
  await loss.getByText('reason is required').waitFor()
  await loss.getByLabel('Reason').fill('Trimmed')
  await loss.getByRole('button', { name: 'Record the loss' }).click()
  await page.getByText('The loss is recorded.').waitFor()
  const balance = page.getByRole('region', { name: 'Mass balance' }).getByRole('row').nth(1)
  await balance.getByText('2,450').waitFor()
  await eventually(() => balance.getByRole('cell').allTextContents(), ['5,000', '2,050', '500', '2,450'])
})

test('a weekly time is made and offered, an order moved to it and cancelled with a reason', async () => {
  const before = new Set((await pickupSlots(server)).map(({ _id }) => _id))
  const { number } = await orderByApi(server, FISH, 1)
  await using at = await visitAsManager(server, '/manage/slot')
  at.expectProblem(/status of 409/)
  const { page } = at
  await page.getByRole('heading', { name: 'Add a weekly time' }).click()
  const form = page.getByRole('form', { name: 'Add a weekly time' })
  await form.getByLabel('From').fill('21:00')
  await form.getByLabel('To', { exact: true }).fill('20:00')
  await form.getByLabel('Orders it takes').fill('5')
  await form.getByRole('button', { name: 'Add weekly time' }).click()
  await form.getByText('choose a day of the week').waitFor()
  for (const day of ['Mon', 'Wed', 'Sat']) await form.getByLabel(day).check()
  await form.getByLabel('To', { exact: true }).fill('22:00')
  await form.getByRole('button', { name: 'Add weekly time' }).click()
  await page.getByText(/^Added\. Times: \d+ made/).waitFor()
  const made = (await pickupSlots(server)).filter(({ _id }) => !before.has(_id))
  assert.ok(made.length >= 5 && made.every(({ left }) => left === 5), `${made.length} slots`)
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-slot')
  const slots = page.getByRole('table', { name: 'Slots' })
  await slots.getByText('13 postcodes').first().click()
  await slots.getByText('2000, 2007–2011, 2037–2042, 2050').first().waitFor()
  const last = slots.getByRole('button', { name: /^Close the day, / }).last()
  const day = (await last.getAttribute('aria-label'))?.replace('Close the day, ', '') ?? ''
  await last.click()
  const close = page.getByRole('dialog', { name: `Close ${day}?` })
  await close.getByLabel('Reason').fill('The boats stay in')
  await close.getByRole('button', { name: 'Close the day' }).click()
  await page.getByText(/^Closed .* Times: \d+ removed/).waitFor()
  await eventually(() => slots.getByRole('heading', { name: day }).count(), 0)
  await page.getByRole('list', { name: 'Closed days' }).getByText('The boats stay in').waitFor()
  await press(page, `Open again: ${day}`)
  await slots.getByRole('heading', { name: day }).waitFor()

  await openManaged(page, '/manage/order')
  await page.getByRole('link', { name: `Pack ${number}` }).click()
  await press(page, 'Move to another time')
  const move = page.getByRole('dialog', { name: 'Move to another time' })
  await move
    .getByRole('radio', { name: /9:00 pm to 10:00 pm/ })
    .first()
    .check()
  await move.getByRole('button', { name: 'Move the order' }).click()
  await page.getByText(/^Moved to .* 9:00 pm to 10:00 pm\.$/).waitFor()
  await page.getByText(/^Moved from \w{3} \d+ \w{3}, /).waitFor()

  await page.getByRole('link', { name: /9:00 pm to 10:00 pm/ }).click()
  await rowsOf(page, 'Picking list').filter({ hasText: FISH }).getByText('1,000 g').first().waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-slot-one')
  await page.getByRole('link', { name: number }).click()
  await press(page, 'Cancel order')
  const ask = page.getByRole('dialog', { name: 'Cancel this order?' })
  await ask.getByRole('button', { name: 'Cancel order' }).click()
  await ask.getByText('reason is required').waitFor()
  await ask.getByLabel('Reason').fill('The boat came back empty.')
  await ask.getByRole('button', { name: 'Cancel order' }).click()
  await page.getByText('Done: cancelled.').waitFor()
  await page.getByText('The boat came back empty.').waitFor()
  await openManaged(page, '/manage/slot')
  await page
    .getByRole('button', { name: /^Edit .* 9:00 pm to 10:00 pm$/ })
    .first()
    .waitFor()
})

test('on a wide screen the list stays beside an order, the arrows go through it, and it comes back as it was narrowed', async () => {
  const fish = 'Pipis'
  for (let i = 0; i < 2; i++) await orderByApi(server, fish, 1)
  await using at = await visitAsManager(server, '/manage/order?status=PLACED', {
    viewport: { width: 1680, height: 900 },
  })
  const { page } = at
  await rowsOf(page, 'Orders').first().getByRole('link').first().click()
  const queue = page.getByRole('navigation', { name: 'Queue' })
  const orders = queue.getByRole('link')
  const numberAt = (at: number) => orders.nth(at).locator('.tabular-nums').first().innerText()
  const [first, second] = [await numberAt(0), await numberAt(1)]
  await page.getByRole('heading', { name: `Order ${first}` }).waitFor()
  await untilHydrated(page)
  await orders.first().focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('heading', { name: `Order ${second}` }).waitFor()
  const id = await orders.nth(1).getAttribute('data-beside')
  assert.equal(new URL(page.url()).pathname, `/manage/order/${id}`)
  await eventually(() => orders.nth(1).getAttribute('aria-current'), 'page')
  await eventually(() => orders.nth(1).evaluate((link) => link.matches(':focus')), true)
  await page.keyboard.press('ArrowUp')
  await page.getByRole('heading', { name: `Order ${first}` }).waitFor()
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-order-beside')

  await page.setViewportSize({ width: 1680, height: 500 })
  await page.evaluate(() => window.scrollTo({ top: 2_000, behavior: 'instant' }))
  const bar = (await page.getByRole('banner').boundingBox())?.height ?? 0
  const top = (await queue.boundingBox())?.y ?? 0
  assert.ok(top >= bar, `the list is below the bar: ${top}`)
  await page.setViewportSize({ width: 1680, height: 900 })
  await page.getByLabel(`Net weight in grams of ${fish}`).fill('1000')
  await orders.nth(1).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
  await page.getByRole('heading', { name: `Order ${first}` }).waitFor()

  await page.setViewportSize({ width: 1280, height: 900 })
  await queue.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'Back to the queue' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('heading', { name: 'Queue' }).waitFor()
  assert.equal(new URL(page.url()).search, '?status=PLACED')
})
