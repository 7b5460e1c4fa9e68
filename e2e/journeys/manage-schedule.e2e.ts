import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessibleAcross, press, visitAsManager } from '../support/manager.ts'
import { callJson } from '../support/order.ts'
import { editOf, productNamed } from '../support/products.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

const product = (title: string) => productNamed(server, title)
const managed = async (title: string) =>
  callJson(server, 'GET', `/api/product/${(await product(title))._id}/manage`)

test('selected products are marked down until six by one press, which is undone, or ended, by another', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=mussels')
  const { page } = at
  const before = (await product('Blue mussels')).discount
  await page.getByLabel('Select Blue mussels').check()
  await page.getByRole('button', { name: 'Mark down by 25 %' }).click()
  await page.getByText('Changed 1 product.').waitFor()
  const { discount, schedule } = await managed('Blue mussels')
  assert.deepEqual([discount, schedule.markdown.before], [25, before])
  const row = page
    .getByRole('table', { name: 'Products' })
    .getByRole('row')
    .filter({ hasText: 'Blue mussels' })
  await row.getByText(/^until /).waitFor()
  await saveScreenshot(page, 'manage-product-marked-down')
  await assertAccessibleAcross(page)
  await press(page, 'Undo the change')
  await page.getByText('Undone.').waitFor()
  assert.equal((await product('Blue mussels')).discount, before)
  await page.getByRole('button', { name: 'Mark down by 50 %' }).click()
  await page.getByText('Changed 1 product.').waitFor()
  assert.equal((await product('Blue mussels')).discount, 50)
  await press(page, 'End markdowns')
  await eventually(async () => (await product('Blue mussels')).discount, before)
})

test('a form plans when a product is on sale; an end before the start is said at its field, with all that was typed kept', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=Pipis')
  at.expectProblem(/status of 400/)
  const { page } = at
  const year = new Date().getFullYear() + 1
  await press(page, 'Edit Pipis')
  const form = editOf(page, 'Pipis')
  await form.getByLabel('On sale from').fill(`${year}-02-03T07:00`)
  await form.getByLabel('On sale until').fill(`${year}-02-02T18:00`)
  await press(page, 'Save')
  await press(page, 'Keep editing Pipis')
  await form.getByText('must be after the start').waitFor()
  await eventually(() => form.getByLabel('On sale from').inputValue(), `${year}-02-03T07:00`)
  await saveScreenshot(page, 'manage-product-plan-refused')
  await form.getByLabel('On sale until').fill(`${year}-02-04T18:00`)
  await form.getByLabel('Mark down by').fill('15')
  await form.getByLabel('Marked down until').fill(`${year}-02-04T12:00`)
  await form.getByLabel('Marked down from').fill(`${year}-02-04T09:00`)
  await press(page, 'Save')
  await page.getByText('Saved Pipis.').waitFor()
  const { schedule } = await managed('Pipis')
  assert.equal(schedule.sale.from, `${year}-02-02T20:00:00.000Z`, 'seven in the morning of the market')
  assert.equal(schedule.markdown.percent, 15)
  await page.getByText(/on sale from .*7:00 am until .*6:00 pm/).waitFor()
  await press(page, 'History of Pipis')
  await page
    .getByRole('dialog')
    .getByText(/15%off from/)
    .first()
    .waitFor()
})

test('a discount ends in the shop at its moment, and the history says by what', async () => {
  const { _id, discount } = await product('Vongole')
  const until = Date.now() + 4_000
  const markdown = { percent: 40, until: new Date(until).toISOString() }
  await callJson(server, 'PATCH', `/api/product/${_id}`, { schedule: { markdown } })
  const seen = async (): Promise<number> => {
    const all: { _id: string; discount: number }[] = await (
      await fetch(`${server.url}/api/product/active`)
    ).json()
    return all.find((one) => one._id === _id)?.discount ?? -1
  }
  assert.equal(await seen(), 40)
  await eventually(seen, discount)
  const late = Date.now() - until
  assert.ok(late >= 0 && late < 4_000, `${late} ms late`)
  await using at = await visitAsManager(server, '/manage/product?q=Vongole')
  await press(at.page, 'History of Vongole')
  await at.page.getByRole('dialog').getByText('its schedule').first().waitFor()
})

test('sale times of several products are planned and ended in the bulk bar', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=mussels')
  const { page } = at
  const year = new Date().getFullYear() + 1
  await page.getByLabel('Select Blue mussels').check()
  const times = page.getByRole('group', { name: /^Sale times/ })
  await times.getByLabel('On sale until').fill(`${year}-02-04T18:00`)
  await times.getByRole('button', { name: 'Plan sale' }).click()
  await page.getByText('Changed 1 product.').waitFor()
  assert.equal((await managed('Blue mussels')).schedule.sale.until, `${year}-02-04T07:00:00.000Z`)
  await page.getByText(/^on sale until .*6:00 pm/).waitFor()
  await times.getByRole('button', { name: 'End sale times' }).click()
  await eventually(async () => (await managed('Blue mussels')).schedule.sale, null)
})
