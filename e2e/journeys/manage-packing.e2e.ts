import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { ann } from '../support/account.ts'
import { registerBox } from '../support/boxes.ts'
import { assertAccessibleAcross, press, visitAsManager } from '../support/manager.ts'
import { callJson, pickupSlots } from '../support/order.ts'
import { productNamed } from '../support/products.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

const FISH = 'Snapper, whole'
const OYSTERS = 'Sydney rock oysters'
const tablet = { viewport: { width: 1024, height: 768 } }

/** Orders for the last time that is open: other tests order for the first. */
async function order(lines: readonly [title: string, quantity: number][], note = '') {
  const slot = (await pickupSlots(server)).at(-1)
  const products = await Promise.all(lines.map(([title]) => productNamed(server, title)))
  const { fname, lname, email, phone } = ann
  const placed = await fetch(`${server.url}/api/order`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({
      lines: products.map(({ _id }, i) => ({ product_id: _id, quantity: lines[i]?.[1] })),
      contact: { fname, lname, email, phone },
      fulfilment: { kind: 'pickup', slot: slot?._id },
      note,
    }),
  })
  const text = await placed.text()
  assert.equal(placed.status, 201, text)
  return { ...(JSON.parse(text) as { _id: string; number: string }), slot: slot?._id ?? '' }
}

type Packed = {
  status: string
  lines: { finalGrams: number | null; boxes: { boxID: string; amount: number }[] }[]
}
const packed = (id: string): Promise<Packed> => callJson(server, 'GET', `/api/order/${id}/manage`)

const weight = (page: Page) => page.getByLabel(`Net weight in grams of ${FISH}`)
const shown = (page: Page, number: string) => page.getByRole('article', { name: `Order ${number}` }).waitFor()

test('the orders of a time are packed one after the other with a keyboard and a scanner alone', async () => {
  await registerBox(server, 'PK-0001', FISH)
  await registerBox(server, 'PK-0002', FISH)
  const first = await order(
    [
      [FISH, 2],
      [OYSTERS, 1],
    ],
    'Please leave the head on.',
  )
  const second = await order([[FISH, 1]])
  const third = await order([[FISH, 1]])
  await using at = await visitAsManager(server, `/manage/slot/${first.slot}/pack`, tablet)
  const { page } = at
  const { keyboard } = page
  await shown(page, first.number)
  await page.getByText('Please leave the head on.').waitFor()
  await eventually(() => weight(page).evaluate((field) => field === document.activeElement), true)
  await saveScreenshot(page, 'manage-packing')
  await keyboard.press('Enter')
  await page.getByText('must be a weight in grams').waitFor()
  await keyboard.type('2050')
  await page.getByText('50 g more than ordered.').waitFor()
  await keyboard.type(`${server.url}/SFMBox/byId/PK-0002`)
  await keyboard.press('Enter')
  await page.getByLabel(`Label of the box of ${OYSTERS}`).waitFor()
  await page.getByRole('button', { name: /Snapper, whole.*2,050 g, from PK-0002/ }).waitFor()
  await keyboard.press('Enter')
  await page.getByText('Every line is weighed.').waitFor()
  await keyboard.press('Enter')
  await page.getByRole('status').getByText(`${first.number} is packed.`, { exact: false }).waitFor()
  const done = await packed(first._id)
  assert.equal(done.status, 'PACKED')
  assert.deepEqual(
    done.lines.map(({ finalGrams, boxes }) => [
      finalGrams,
      boxes.map(({ boxID, amount }) => [boxID, amount]),
    ]),
    [
      [2_050, [['PK-0002', 2_050]]],
      [null, []],
    ],
  )

  await shown(page, second.number)
  await keyboard.type('1,000')
  await press(page, 'Skip')
  await press(page, 'Discard changes')
  await shown(page, third.number)
  await keyboard.type('1.5 kg')
  await keyboard.press('Enter')
  await press(page, 'Save, and ask the buyer')
  await page.getByText('The buyer was asked to accept the new total.', { exact: false }).waitFor()
  assert.equal((await packed(third._id)).status, 'PLACED')
  await assertAccessibleAcross(page)
  await press(page, 'Next order')

  await shown(page, second.number)
  const other = await callJson(server, 'PUT', `/api/order/${second._id}/packing`, {
    lines: [{ position: 1, grams: 990, boxes: [{ boxID: 'PK-0001', amount: 990 }] }],
  })
  await keyboard.type('1000')
  await keyboard.press('Enter')
  at.expectProblem(/status of 409/)
  await keyboard.press('Enter')
  await page.getByText('Somebody else changed this in the meantime', { exact: false }).waitFor()
  await callJson(server, 'PATCH', `/api/order/${second._id}`, {
    status: 'PACKED',
    reason: '',
    version: other.version,
  })
  await page.reload()
  await page.getByText('It is packed already.').waitFor()
  await saveScreenshot(page, 'manage-packing-already')
})

test('where nothing is left to pack, it says so, and Today leads to what is', async () => {
  const slot = (await pickupSlots(server))[0]
  await using at = await visitAsManager(server, `/manage/slot/${slot?._id}/pack`, {
    viewport: { width: 360, height: 740 },
  })
  await at.page.getByText('No orders for this time.').waitFor()
  const placed = await order([[FISH, 1]])
  await at.page.goto(`${server.url}/manage/slot/${placed.slot}`)
  await at.page.getByRole('link', { name: 'Pack one after the other' }).click()
  await at.page.getByRole('article').waitFor()
  await assertAccessibleAcross(at.page)
  await saveScreenshot(at.page, 'manage-packing-phone')
})
