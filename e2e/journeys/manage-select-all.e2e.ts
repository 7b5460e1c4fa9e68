import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessibleAcross, banner, press, visitAsManager } from '../support/manager.ts'
import { productsOf } from '../support/products.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

/** Products of a file, more than a page has. */
async function bring(from: number, to: number): Promise<void> {
  const [category] = await (await server.call('/api/category')).json()
  const lines = Array.from(
    { length: to - from + 1 },
    (_, i) => `Sample crate ${from + i},"${category.title}",10`,
  )
  const body = ['title,category,price', ...lines].join('\r\n')
  const answer = await server.call('/api/product/import', {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body,
  })
  assert.equal(answer.status, 200, await answer.text())
}

const discounts = async () =>
  (await productsOf(server))
    .filter(({ title }) => title.startsWith('Sample crate'))
    .map((one) => one.discount)

test('all that match are selected beyond the page, changed after a look at what would change, and undone', async () => {
  await bring(1, 60)
  await using at = await visitAsManager(server, '/manage/product?q=crate')
  at.expectProblem(/status of 409/)
  const { page } = at
  const all = page.getByRole('button', { name: /^Select all \d+ that match$/ })
  assert.equal(await all.count(), 0)
  await page.getByLabel('Select all on this page').check()
  await press(page, 'Select all 60 that match')
  await page.getByText('60 selected', { exact: true }).waitFor()
  const form = page.getByRole('form', { name: 'Change selected products' })
  await form.getByLabel('Discount (%)').fill('30')
  await press(page, 'Change 60 products')
  const dialog = page.getByRole('dialog', { name: 'Change 60 products' })
  await dialog.getByText('Of 60 products that match, 60 would change. It can be undone.').waitFor()
  await saveScreenshot(page, 'manage-product-select-all')
  await assertAccessibleAcross(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  assert.deepEqual(new Set(await discounts()), new Set([0]))
  await eventually(() => form.getByLabel('Discount (%)').inputValue(), '30')

  await bring(61, 61)
  await press(page, 'Change 60 products')
  await banner(page).getByText('Error: Nothing was changed: 61 products match now, not 60.').waitFor()
  await press(page, 'Select all 61 that match')
  await press(page, 'Change 61 products')
  await press(page, 'Change them')
  await page.getByText('Changed 61 products.').waitFor()
  assert.deepEqual(await discounts(), Array(61).fill(30))
  await press(page, 'Undo the change')
  await page.getByText('Undone.').waitFor()
  assert.deepEqual(await discounts(), Array(61).fill(0))
})
