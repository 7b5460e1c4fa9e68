import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, assertNoSidewaysScroll } from '../support/accessible.ts'
import { assertAccessibleAcross, openManaged, press, visitAsManager } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

const headings = (page: Page) =>
  page.locator('thead th').evaluateAll((all) => all.map((one) => one.textContent?.replace(/[↑↓]/, '')))
const asks = (page: Page) => new URL(page.url()).searchParams
const usual = ['Select', 'Product', 'Price', 'Discount', 'Stock', 'Shelf', 'Status', 'Actions']

test('columns are chosen and put in order by keys, kept with a view, and taken back', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=snapper')
  const { page } = at
  assert.deepEqual(await headings(page), usual)
  const table = page.getByRole('table', { name: 'Products' })
  await press(page, 'Columns')
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  assert.ok(
    await dialog.getByLabel('Product', { exact: true }).isDisabled(),
    'what names a row is always shown',
  )
  await dialog.getByLabel('Shelf', { exact: true }).uncheck()
  await dialog.getByLabel('Discount', { exact: true }).uncheck()
  await dialog.getByLabel('Origin', { exact: true }).focus()
  await page.keyboard.press('Space')
  const up = dialog.getByRole('button', { name: 'Move Stock up' })
  await up.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  assert.ok(await up.evaluate((button) => button === document.activeElement), 'the focus goes along')
  await dialog.getByText('Stock: 2 of 8.').waitFor()
  const down = dialog.getByRole('button', { name: 'Move Price down' })
  await down.focus()
  await page.keyboard.press('Enter')
  assert.ok(await down.evaluate((button) => button === document.activeElement))
  await assertAccessible(page)
  await press(page, 'Show these columns')
  const chosen = ['Select', 'Product', 'Stock', 'Price', 'Status', 'Origin', 'Actions']
  await eventually(() => headings(page), chosen)
  assert.equal(asks(page).get('cols'), 'product.stock.price.status.origin')
  assert.equal(asks(page).get('q'), 'snapper', 'what is searched for stays')
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-columns')

  const cell = table.locator('[data-action=stock]').first()
  await cell.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const price = table.getByRole('textbox', { name: /^Price of/ })
  await price.waitFor()
  await page.keyboard.press('Tab')
  await table.getByRole('combobox', { name: /^Status of/ }).waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('search').getByLabel('Status').selectOption('ACTIVE')
  await eventually(async () => asks(page).get('status'), 'ACTIVE')
  await eventually(() => headings(page), chosen, 'a filter keeps them')
  await press(page, 'Save as a view')
  await page.getByLabel('Name', { exact: true }).fill('Stock first')
  await press(page, 'Save view')
  await page.getByText('Saved Stock first.').waitFor()
  await page.getByRole('link', { name: 'Standard' }).click()
  await eventually(() => headings(page), usual)
  await page.getByRole('link', { name: 'Stock first' }).click()
  await eventually(() => headings(page), chosen)

  await press(page, 'Columns')
  await press(page, 'Usual columns')
  await eventually(() => headings(page), usual)
  await page.getByRole('button', { name: 'Save changes to view' }).waitFor()
  await press(page, 'Undo columns')
  await eventually(() => headings(page), chosen)
  await eventually(() => page.getByRole('button', { name: 'Save changes to view' }).count(), 0)
  await page.goBack()
  await eventually(() => headings(page), usual)
})

test('an address that names a column that is gone shows the rest, and says which', async () => {
  await using at = await visitAsManager(server, '/manage/user?cols=name.weather.status.name')
  const { page } = at
  await page.getByText('The column “weather” is not there any more.', { exact: false }).waitFor()
  assert.deepEqual(await headings(page), ['Name', 'Status', 'Actions'])
  await press(page, 'Columns')
  await press(page, 'Show these columns')
  await eventually(() => page.getByText('is not there any more', { exact: false }).count(), 0)
  assert.equal(asks(page).get('cols'), 'name.status')
  await openManaged(page, '/manage/user?cols=weather')
  await page.getByText('“weather” is not there any more.', { exact: false }).waitFor()
  assert.deepEqual(await headings(page), ['Name', 'Email', 'Phone', 'Role', 'Status', 'Actions'])
})

test('on a phone columns are chosen too, of every list', async () => {
  await using at = await visitAsManager(server, '/manage', { viewport: { width: 360, height: 740 } })
  const { page } = at
  for (const [path, hidden] of [
    ['/manage/order?status=all', 'Total'],
    ['/manage/order?status=complaint', 'Wished'],
    ['/manage/order?status=waiting', 'Wants'],
    ['/manage/box', 'Caught'],
    ['/manage/category', 'Description'],
    ['/manage/user', 'Email'],
    ['/manage/slot', 'Cut-off'],
    ['/manage/excursion?state=closed', 'Since'],
    ['/manage/device', 'Battery'],
    ['/manage/tracker', 'Service'],
    ['/manage/customer', 'Orders'],
    ['/manage/offer', 'Takes off'],
    ['/manage/supplier', 'In records'],
    ['/manage/mail', 'Asked for'],
    ['/manage/staff', 'Log-in'],
    ['/manage/key', 'Boxes'],
  ] as const) {
    await openManaged(page, path)
    await press(page, 'Columns')
    await page.getByRole('dialog').getByLabel(hidden, { exact: true }).uncheck()
    await assertNoSidewaysScroll(page)
    await press(page, 'Show these columns')
    await eventually(async () => asks(page).has('cols'), true, path)
    await page.getByText('The columns are shown as you chose.').waitFor()
    assert.equal(await page.locator(`td[data-label="${hidden}"]`).count(), 0)
    await assertNoSidewaysScroll(page)
  }
})

test('what a list shows is saved as a file, narrowed, sorted and with its columns', async () => {
  await using at = await visitAsManager(server, '/manage/product?status=ACTIVE&sort=price&cols=price.product')
  const { page } = at
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'List as CSV' }).click(),
  ])
  assert.match(download.suggestedFilename(), /^product-[\d-]+\.csv$/)
  const [head = '', ...lines] = readFileSync(await download.path(), 'utf8')
    .slice(1)
    .split('\r\n')
  assert.equal(head, 'price,product,category,unit,boxes')
  const prices = lines.filter((line) => line !== '').map((line) => Number(line.split(',')[0]))
  assert.ok(prices.length > 1)
  assert.deepEqual(
    prices,
    [...prices].sort((a, b) => a - b),
  )
})

test('complaints and waiting orders have columns and views of their own within the queue, and are saved as files', async () => {
  await using at = await visitAsManager(server, '/manage/order?status=complaint')
  const { page } = at
  await press(page, 'Columns')
  const dialog = page.getByRole('dialog', { name: 'Columns' })
  await dialog.getByLabel('Wished', { exact: true }).uncheck()
  await dialog.getByLabel('The order is', { exact: true }).check()
  await press(page, 'Show these columns')
  await eventually(async () => asks(page).get('cols'), 'order.wrong.since.state.stage')
  await press(page, 'Save as a view')
  await page.getByLabel('Name', { exact: true }).fill('By order')
  await press(page, 'Save view')
  await page.getByText('Saved By order.').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'List as CSV' }).click(),
  ])
  assert.match(download.suggestedFilename(), /^complaint-[\d-]+\.csv$/)
  assert.match(readFileSync(await download.path(), 'utf8'), /order,what is wrong,since,state,.*the order is/)
  const views = page.getByRole('navigation', { name: 'Views' })
  await views.getByRole('link', { name: 'Standard' }).click()
  await eventually(async () => page.url().split('?')[1], 'status=complaint')
  await views.getByRole('link', { name: 'By order' }).click()
  await eventually(async () => asks(page).has('view'), true)
  await assertAccessibleAcross(page)

  await page.getByRole('search').getByLabel('State').selectOption('waiting')
  await eventually(async () => page.url().split('?')[1]?.includes('status=waiting'), true)
  assert.deepEqual([asks(page).get('cols'), asks(page).get('view')], [null, null])
  // The address changes some frames before the page does.
  await eventually(() => views.count(), 0, 'views of complaints are no views of these')
  assert.equal(await page.getByText('is not there any more', { exact: false }).count(), 0)
  assert.equal(await page.getByRole('button', { name: 'Save as a view' }).count(), 0)
  await page.goBack()
  await views.getByRole('link', { name: 'By order' }).waitFor()
  await press(page, 'View settings')
  const settings = page.getByRole('dialog', { name: 'By order' })
  assert.equal(
    await settings.getByText('Open the list with this view').count(),
    0,
    'it opens by its own entry',
  )
  await press(page, 'Delete view')
  await page.getByText('Deleted By order.').waitFor()
  await eventually(async () => page.url().split('?')[1], 'status=complaint')
})

test('coupons and suppliers are narrowed by their state, and kept as views with their columns', async () => {
  await using at = await visitAsManager(server, '/manage/offer')
  const { page } = at
  for (const code of ['EARLY', 'TODAY']) {
    const from = code === 'EARLY' ? '2099-01-01T00:00:00Z' : null
    const data = { code, percent: 10, ...(from && { from }) }
    const reply = await page.request.post('/api/coupon', { data, headers: { origin: server.url } })
    assert.ok(reply.ok(), await reply.text())
  }
  await openManaged(page, '/manage/offer')
  const codes = () => page.locator('tbody th').allTextContents()
  assert.deepEqual((await codes()).sort(), ['EARLY', 'TODAY'])
  await page.getByRole('search').getByLabel('State').selectOption('early')
  await eventually(codes, ['EARLY'])
  await press(page, 'Save as a view')
  await page.getByLabel('Name', { exact: true }).fill('To come')
  await press(page, 'Save view')
  await page.getByText('Saved To come.').waitFor()
  await page.getByRole('link', { name: 'Standard' }).click()
  await eventually(async () => (await codes()).length, 2)
  await page.getByRole('link', { name: 'To come' }).click()
  await eventually(codes, ['EARLY'])
  await openManaged(page, '/manage/offer?state=over')
  await page.getByText('No coupons match.').waitFor()
  await openManaged(page, '/manage/supplier?status=DISABLED')
  await page.getByText('No suppliers match.').waitFor()
  await page.getByRole('button', { name: 'Save as a view' }).waitFor()
})
