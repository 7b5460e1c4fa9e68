import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visit } from '../support/browser.ts'
import { openManaged, press, rowOf, rowsOf, visitAsManager } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

const phone = { viewport: { width: 390, height: 844 } }
const boxID = '0345579444'

test('on a phone the filters are collapsed, say how many are active, and the list is in view', async () => {
  await using at = await visitAsManager(server, '/manage/product?category=none&status=ACTIVE', phone)
  const { page } = at
  const status = page.getByRole('search').getByLabel('Status')
  await page.getByText('No products match.').waitFor()
  await page.getByText('Filter (2)', { exact: true }).click()
  await status.waitFor()
  await saveScreenshot(page, 'manage-filter-phone')
  await page.getByRole('link', { name: 'Clear' }).click()
  await page.getByText('Filter', { exact: true }).click()
  await status.waitFor({ state: 'hidden' })
  await openManaged(page, '/manage/product')
  const first = rowsOf(page, 'Products').first()
  const { height } = page.viewportSize() ?? { height: 0 }
  assert.ok(((await first.boundingBox())?.y ?? height) < height, 'a product is in view without scrolling')
  await eventually(() => status.isVisible(), false)
  await page.setViewportSize({ width: 768, height: 900 })
  await status.selectOption('DISABLED')
  await rowOf(page, 'Products', 'Jackass morwong').waitFor()
  await eventually(
    () => page.getByText(/^Filter/).isVisible(),
    false,
    'where there is room nothing is folded',
  )
})

test('the filters work without JavaScript, on a phone too', async () => {
  await using at = await visitAsManager(server, '/manage/product', phone)
  const storageState = await at.context.storageState()
  await using plain = await visit(`${server.url}/manage/product`, {
    ...phone,
    storageState,
    javaScriptEnabled: false,
  })
  const { page } = plain
  await page.getByText('Filter', { exact: true }).click()
  await page.getByRole('search').getByLabel('Status').selectOption('DISABLED')
  await page.getByRole('search').getByRole('button', { name: 'Search', exact: true }).first().click()
  await page.waitForURL(/status=DISABLED/)
  await rowOf(page, 'Products', 'Jackass morwong').waitFor()
  await page.getByText('Filter (1)', { exact: true }).waitFor()
})

test('a box names who corrected it, and finds every product that may come from it', async () => {
  await using at = await visitAsManager(server, `/manage/box/${boxID}`)
  const { page } = at
  await page.getByLabel('Find a product').fill('a')
  await press(page, 'Find')
  const found = page.getByRole('list', { name: 'Products found' })
  await found.getByRole('button', { name: /^\d+ more$/ }).click()
  await found.getByRole('button', { name: /^Add/ }).nth(8).waitFor()

  await press(page, 'Show all 109 records')
  await press(page, 'Correct record 1')
  const form = page.getByRole('form', { name: 'Correct record 1' })
  await form.getByLabel('Reason').fill('The address has changed.')
  await form.getByRole('button', { name: 'Add correction' }).click()
  const records = page.getByRole('list', { name: 'Records', exact: true }).locator(':scope > li')
  await records.filter({ hasText: 'of record 1' }).getByText('by Admin Admin').waitFor()
})
