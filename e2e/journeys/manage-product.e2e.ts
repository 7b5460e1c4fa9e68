import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  assertAccessibleAcross,
  banner,
  deleteRow,
  desktop,
  openManaged,
  press,
  rowOf,
  visitAsManager,
} from '../support/manager.ts'
import { pictureFile, programNamed } from '../support/pictures.ts'
import { editOf as edit, productNamed, productsOf } from '../support/products.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

const products = () => productsOf(server)
const product = (title: string) => productNamed(server, title)
const row = (page: Page, title: string) => rowOf(page, 'Products', title)

test('a product is added with several images; an invalid one is named and nothing is written', async () => {
  await using at = await visitAsManager(server, '/manage/product')
  at.expectProblem(/status of 400/)
  const { page } = at
  const count = (await products()).length
  await page.getByRole('heading', { name: 'Add New Product' }).click()
  const form = page.getByRole('form', { name: 'Add New Product' })
  await eventually(() => form.getByLabel('Unit').inputValue(), 'kg')
  await eventually(() => form.getByLabel('Stock').inputValue(), '100')
  await eventually(() => form.getByLabel('Shelf position').inputValue(), '1.1')
  await eventually(() => form.getByLabel('Price', { exact: true }).inputValue(), '0')
  await eventually(() => form.getByLabel('Status').inputValue(), 'ACTIVE')

  await press(page, 'Add product')
  await form.getByText('title is required').waitFor()
  await form.getByText('category is required').waitFor()
  await form.getByText('at least one image is required').waitFor()
  await form.getByLabel('Title').fill('Harbour trout')
  await form.getByLabel('Category').selectOption('Fish')
  await form.getByLabel('Price', { exact: true }).fill('12.345')
  await press(page, 'Add product')
  await form.getByText('price must not have fractions of a cent').waitFor()
  await form.getByLabel('Price', { exact: true }).fill('31,50')
  await press(page, 'Add product')
  await form.getByText('price: write 12.50 for twelve dollars fifty').waitFor()
  await form.getByLabel('Price', { exact: true }).fill('31.50')
  await form.getByText('at least one image is required').waitFor()

  const files = [
    await pictureFile(server, 'Albacore', 'side.webp'),
    programNamed('invoice.png'),
    await pictureFile(server, 'Arrow squid', 'fillet.webp'),
  ]
  await form.locator('input[type=file]').setInputFiles(files)
  await form.getByText('at least one image is required').waitFor({ state: 'detached' })
  await press(page, 'Add product')
  await form
    .getByText(/invoice\.png: is not a JPEG, PNG, WebP or AVIF picture/)
    .first()
    .waitFor()
  assert.equal((await products()).length, count, 'nothing was written')
  await eventually(() => form.getByLabel('Title').inputValue(), 'Harbour trout', 'what was typed is kept')
  await saveScreenshot(page, 'manage-product-bad-picture')

  await form.getByRole('button', { name: 'Remove picture 2' }).click()
  await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Remove picture 2')
  const first = form.getByRole('region', { name: 'Images, drop place' }).getByRole('listitem').first()
  await form.getByRole('button', { name: 'Move picture 2 forward' }).click()
  await first.getByText('fillet.webp').waitFor()
  await form.getByRole('button', { name: 'Move picture 1 back' }).focus()
  await page.keyboard.press('Enter')
  await first.getByText('side.webp').waitFor()
  await page.getByText('Picture is now number 2 of 2').waitFor()
  await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Move picture 2 back')
  await form.getByRole('button', { name: 'Move picture 2 forward' }).focus()
  await page.keyboard.press('Space')
  await first.getByText('fillet.webp').waitFor()
  await form.getByLabel('Alt text for picture 1').fill('A fillet of harbour trout')
  await press(page, 'Add product')
  await page.getByText('Added Harbour trout.').waitFor()
  await row(page, 'Harbour trout').waitFor()
  const made = await product('Harbour trout')
  assert.deepEqual(
    made.images.map(({ alt }) => alt),
    ['A fillet of harbour trout', ''],
  )
  assert.equal(made.price, 31.5)
  // The next is typed at once, and of the same kind.
  await eventually(() => form.getByLabel('Title').inputValue(), '')
  await eventually(() => form.getByLabel('Category').inputValue(), made.category_id)
  await eventually(() => form.getByLabel('Price', { exact: true }).inputValue(), '0')
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('name')), 'title')
})

test('a row is edited, cancelled and saved; a click elsewhere loses no unsaved text', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=Pipis')
  const { page } = at
  await press(page, 'Edit Pipis')
  await edit(page, 'Pipis').getByLabel('Stock').fill('7')
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('dialog').getByRole('heading', { name: 'Leave without saving?' }).waitFor()
  await press(page, 'Keep editing')
  await eventually(() => edit(page, 'Pipis').getByLabel('Stock').inputValue(), '7')
  const asking = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const question = await asking
  assert.equal(question.type(), 'beforeunload')
  await question.dismiss()
  await eventually(() => edit(page, 'Pipis').getByLabel('Stock').inputValue(), '7')
  await press(page, 'Cancel')
  await press(page, 'Discard changes')
  await edit(page, 'Pipis').waitFor({ state: 'detached' })
  assert.notEqual((await product('Pipis')).stock, 7)
  page.once('dialog', (asked) => assert.fail(`asked about nothing: ${asked.type()}`))
  await openManaged(page, '/manage/product?q=Pipis')

  await press(page, 'Edit Pipis')
  await edit(page, 'Pipis').getByLabel('Stock').fill('3')
  await press(page, 'Save')
  await row(page, 'Pipis').getByText('3, low').waitFor()
  await page.getByText('Saved Pipis.').waitFor()
  assert.equal((await product('Pipis')).stock, 3)
  await press(page, 'History of Pipis')
  const history = page.getByRole('dialog').filter({ hasText: 'History of Pipis' })
  await history.getByText('Stock', { exact: true }).first().waitFor()
  await history.getByRole('button', { name: 'Close' }).click()
})

test('a failed save is rolled back with a message, and editing can go on', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=Vongole', { ...desktop, network: 'fast' })
  at.expectProblem(/ERR_INTERNET_DISCONNECTED/)
  const { page, context } = at
  await press(page, 'Edit Vongole')
  await edit(page, 'Vongole').getByLabel('Title').fill('Vongole, purged')
  await context.setOffline(true)
  await press(page, 'Save')
  await banner(page).getByText('Error: No connection to the shop.').waitFor()
  await row(page, 'Vongole').waitFor()
  await saveScreenshot(page, 'manage-product-rolled-back')
  await context.setOffline(false)
  await press(page, 'Keep editing Vongole')
  await press(page, 'Save')
  await page.getByText('Saved Vongole, purged.').waitFor()
  await product('Vongole, purged')
})

test('the second manager sees what the other saved, and chooses which values stay', async () => {
  await using first = await visitAsManager(server, '/manage/product?q=mussels')
  await using second = await visitAsManager(server, '/manage/product?q=mussels')
  for (const at of [first, second]) at.expectProblem(/status of 409/)
  for (const { page } of [first, second]) await press(page, 'Edit Blue mussels')
  await edit(first.page, 'Blue mussels').getByLabel('Price', { exact: true }).fill('11')
  await press(first.page, 'Save')
  await first.page.getByText('Saved Blue mussels.').waitFor()

  const { page } = second
  await edit(page, 'Blue mussels').getByLabel('Price', { exact: true }).fill('15')
  await press(page, 'Save')
  await banner(page).getByText('Somebody else changed this in the meantime.').waitFor()
  await banner(page).getByText('Theirs: 11').waitFor()
  await row(page, 'Blue mussels').getByText('$11.00/', { exact: false }).first().waitFor()
  assert.equal((await product('Blue mussels')).price, 11, 'nothing was overwritten')
  await saveScreenshot(page, 'manage-product-second-manager')
  await press(page, 'Keep editing Blue mussels')
  await eventually(() => edit(page, 'Blue mussels').getByLabel('Price', { exact: true }).inputValue(), '15')
  await press(page, 'Save')
  await page.getByText('Saved Blue mussels.').waitFor()
  assert.equal((await product('Blue mussels')).price, 15)

  await press(first.page, 'Edit Blue mussels')
  await edit(first.page, 'Blue mussels').getByLabel('Price', { exact: true }).fill('18')
  await press(first.page, 'Save')
  await banner(first.page).getByText('Somebody else changed this in the meantime.').waitFor()
  await press(first.page, 'Take theirs')
  await banner(first.page).waitFor({ state: 'detached' })
  await press(first.page, 'Edit Blue mussels')
  const theirs = edit(first.page, 'Blue mussels').getByLabel('Price', { exact: true })
  await eventually(() => theirs.inputValue(), '15')
  await press(first.page, 'Cancel')
  assert.equal((await product('Blue mussels')).price, 15, 'nothing was overwritten')
})

test('only a DISABLED product can be deleted: it disappears at once, and returns when the server refuses', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=abalone')
  at.expectProblem(/status of 409/)
  const { page } = at
  const { _id } = await product('Blacklip abalone')
  const setStatus = (status: string): Promise<Response> =>
    server.call(`/api/product/${_id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ status }),
    })
  await eventually(() => page.getByRole('button', { name: 'Delete Blacklip abalone' }).isDisabled(), true)
  await press(page, 'Edit Blacklip abalone')
  await edit(page, 'Blacklip abalone').getByLabel('Status').selectOption('DISABLED')
  await press(page, 'Save')
  await page.getByText('Saved Blacklip abalone.').waitFor()
  assert.equal((await setStatus('ACTIVE')).status, 200)
  await deleteRow(page, 'Blacklip abalone')
  await banner(page).getByText('Error: Somebody else changed this in the meantime.').waitFor()
  await row(page, 'Blacklip abalone').getByText('ACTIVE', { exact: true }).waitFor()
  await eventually(() => page.getByRole('button', { name: 'Delete Blacklip abalone' }).isDisabled(), true)
  assert.equal((await setStatus('DISABLED')).status, 200)
  await openManaged(page, '/manage/product?q=abalone')
  await deleteRow(page, 'Blacklip abalone')
  await page.getByText('Deleted Blacklip abalone.').waitFor()
  await eventually(() => row(page, 'Blacklip abalone').count(), 0)
  assert.ok(!(await products()).some(({ title }) => title === 'Blacklip abalone'))
})

test('selected products are changed together, and the change can be undone', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=squid')
  const { page } = at
  const { price, discount } = await product('Arrow squid')
  await page.getByLabel('Select Arrow squid').check()
  const form = page.getByRole('form', { name: 'Change selected products' })
  await form.getByLabel('Price').selectOption('percent')
  await form.getByLabel('Amount').fill('10')
  await form.getByLabel('Stock').fill('77')
  await form.getByLabel('Discount (%)').fill('35')
  await press(page, 'Change 1')
  await page.getByText('Changed 1 product.').waitFor()
  const changed = await product('Arrow squid')
  assert.deepEqual([changed.price, changed.stock, changed.discount], [Math.round(price * 110) / 100, 77, 35])
  await press(page, 'Undo the change')
  await page.getByText('Undone.').waitFor()
  const undone = await product('Arrow squid')
  assert.deepEqual([undone.price, undone.discount], [price, discount])
})

test('the boxes of selected products are printed as one sheet of labels', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=snapper')
  const { page } = at
  await page.getByLabel('Select Snapper, box from Coffs Harbour').check()
  const link = page.getByRole('link', { name: /^Label/ })
  const sheet = await page.request.get(`${server.url}${await link.getAttribute('href')}`)
  assert.deepEqual([sheet.status(), sheet.headers()['content-type']], [200, 'application/pdf'])
})

test('selected products are moved to another category, and copied as drafts that are found by their status and undone', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=squid')
  const { page } = at
  const { category_id } = await product('Arrow squid')
  await page.getByLabel('Select Arrow squid').check()
  const form = page.getByRole('form', { name: 'Change selected products' })
  const others = form.getByLabel('Category').locator(`option:not([value=""], [value="${category_id}"])`)
  const other = (await others.first().getAttribute('value')) ?? ''
  await form.getByLabel('Category').selectOption(other)
  await press(page, 'Change 1')
  await page.getByText('Changed 1 product.').waitFor()
  assert.equal((await product('Arrow squid')).category_id, other)
  await press(page, 'Undo the change')
  await page.getByText('Undone.').waitFor()
  assert.equal((await product('Arrow squid')).category_id, category_id)

  await press(page, 'Duplicate 1')
  await page.getByText('Made a copy, a draft without stock.').waitFor()
  await row(page, 'Arrow squid (copy)').getByText('draft', { exact: true }).waitFor()
  await page.getByRole('search').getByLabel('Status').selectOption('DRAFT')
  await eventually(() => row(page, 'Arrow squid').count(), 1)
  await saveScreenshot(page, 'manage-product-drafts')
  await assertAccessibleAcross(page)
  await press(page, 'Undo the change')
  await page.getByText('Undone.').waitFor()
  await eventually(() => row(page, 'Arrow squid').count(), 0)
})

test('deleting a product asks first: Cancel and Escape delete nothing, and no request is sent before the answer', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=Octopus')
  const { page } = at
  const { _id } = await product('Octopus')
  const disabled = await server.call(`/api/product/${_id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'DISABLED' }),
  })
  assert.equal(disabled.status, 200, await disabled.text())
  await openManaged(page, '/manage/product?q=Octopus')
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'DELETE' && sent.push(request.url()))
  const question = page.getByRole('dialog').filter({ hasText: 'Delete Octopus?' })
  const keep = [() => press(page, 'Cancel'), () => page.keyboard.press('Escape')]
  for (const answer of keep) {
    await press(page, 'Delete Octopus')
    await question.getByText('This can’t be undone.').waitFor()
    await answer()
    await question.waitFor({ state: 'hidden' })
    await row(page, 'Octopus').waitFor()
  }
  assert.deepEqual(sent, [])
  assert.equal((await product('Octopus'))._id, _id)
})
