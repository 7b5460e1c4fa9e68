import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { banner, pictureFile, programNamed, rowOf, visitAsManager } from '../support/manager.ts'
import { keepScreen } from '../support/screens.ts'
import { type Server, startServer } from '../support/server.ts'

let server: Server
before(async () => {
  server = await startServer()
})
after(() => server[Symbol.asyncDispose]())

type Product = { _id: string; title: string; price: number; stock: number; images: { alt: string }[] }

const products = async (): Promise<Product[]> => (await server.call('/api/product')).json()

async function product(title: string): Promise<Product> {
  const found = (await products()).find((one) => one.title === title)
  assert.ok(found, `${title} is in the shop`)
  return found
}

const row = (page: Page, title: string) => rowOf(page, 'Products', title)
const edit = (page: Page, title: string) => page.getByRole('form', { name: `Edit ${title}` })
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('a product is added with several pictures; one bad among them is told by name and nothing is written', async () => {
  await using at = await visitAsManager(server, '/manage/product')
  at.expectProblem(/status of 400/)
  const { page } = at
  const count = (await products()).length
  await page.getByRole('heading', { name: 'Add New Product' }).click()
  const form = page.getByRole('form', { name: 'Add New Product' })
  assert.equal(await form.getByLabel('Unit').inputValue(), 'kg')
  assert.equal(await form.getByLabel('Stock').inputValue(), '100')
  assert.equal(await form.getByLabel('Shelf position').inputValue(), '1.1')
  assert.equal(await form.getByLabel('Price', { exact: true }).inputValue(), '0')
  assert.equal(await form.getByLabel('Status').inputValue(), 'ACTIVE')

  await press(page, 'Add product')
  await form.getByText('title is required').waitFor()
  await form.getByText('category is required').waitFor()
  await form.getByLabel('Title').fill('Harbour trout')
  await form.getByLabel('Category').selectOption('Fish')
  await form.getByLabel('Price', { exact: true }).fill('12.345')
  await press(page, 'Add product')
  await form.getByText('price must not have fractions of a cent').waitFor()
  await form.getByLabel('Price', { exact: true }).fill('31.50')
  await press(page, 'Add product')
  await form.getByText('at least one image is required').first().waitFor()

  const files = [
    await pictureFile(server, 'Albacore', 'side.webp'),
    programNamed('invoice.png'),
    await pictureFile(server, 'Arrow squid', 'fillet.webp'),
  ]
  await form.locator('input[type=file]').setInputFiles(files)
  await press(page, 'Add product')
  await form
    .getByText(/invoice\.png: is not a JPEG, PNG, WebP or AVIF picture/)
    .first()
    .waitFor()
  assert.equal((await products()).length, count, 'nothing was written')
  assert.equal(await form.getByLabel('Title').inputValue(), 'Harbour trout', 'what was typed is kept')
  await keepScreen(page, 'manage-product-bad-picture')

  await form.getByRole('button', { name: 'Remove picture 2' }).click()
  await form.getByRole('button', { name: 'Move picture 2 forward' }).click()
  await form.getByLabel('What picture 1 shows').fill('A fillet of harbour trout')
  await press(page, 'Add product')
  await page.getByText('Added Harbour trout.').waitFor()
  await row(page, 'Harbour trout').waitFor()
  const made = await product('Harbour trout')
  assert.deepEqual(
    made.images.map(({ alt }) => alt),
    ['A fillet of harbour trout', ''],
  )
  assert.equal(made.price, 31.5)
})

test('a row is edited, cancelled and saved at once; what is unsaved is not lost by a click', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=Pipis')
  const { page } = at
  await press(page, 'Edit Pipis')
  await edit(page, 'Pipis').getByLabel('Stock').fill('7')
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('dialog').getByRole('heading', { name: 'Leave without saving?' }).waitFor()
  await press(page, 'Keep editing')
  assert.equal(await edit(page, 'Pipis').getByLabel('Stock').inputValue(), '7')
  await press(page, 'Cancel')
  await press(page, 'Discard changes')
  await edit(page, 'Pipis').waitFor({ state: 'detached' })
  assert.notEqual((await product('Pipis')).stock, 7)

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

test('a save that fails is rolled back with the message, and what was typed can be taken up again', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=Vongole')
  at.expectProblem(/ERR_INTERNET_DISCONNECTED/)
  const { page, context } = at
  await press(page, 'Edit Vongole')
  await edit(page, 'Vongole').getByLabel('Title').fill('Vongole, purged')
  await context.setOffline(true)
  await press(page, 'Save')
  await banner(page).getByText('Error: No connection to the shop.').waitFor()
  await row(page, 'Vongole').waitFor()
  await keepScreen(page, 'manage-product-rolled-back')
  await context.setOffline(false)
  await press(page, 'Keep editing Vongole')
  await press(page, 'Save')
  await page.getByText('Saved Vongole, purged.').waitFor()
  await product('Vongole, purged')
})

test('the second manager is told what the other saved, and chooses whose words stay', async () => {
  await using first = await visitAsManager(server, '/manage/product?q=mussels')
  await using second = await visitAsManager(server, '/manage/product?q=mussels')
  second.expectProblem(/status of 409/)
  for (const { page } of [first, second]) await press(page, 'Edit Blue mussels')
  await edit(first.page, 'Blue mussels').getByLabel('Price', { exact: true }).fill('11')
  await press(first.page, 'Save')
  await first.page.getByText('Saved Blue mussels.').waitFor()

  const { page } = second
  await edit(page, 'Blue mussels').getByLabel('Price', { exact: true }).fill('15')
  await press(page, 'Save')
  await banner(page).getByText('Somebody else changed this meanwhile.').waitFor()
  await banner(page).getByText('Price', { exact: true }).waitFor()
  await row(page, 'Blue mussels').getByText('$11.00/', { exact: false }).first().waitFor()
  assert.equal((await product('Blue mussels')).price, 11, 'nothing was overwritten')
  await keepScreen(page, 'manage-product-second-manager')
  await press(page, 'Keep editing mine')
  assert.equal(await edit(page, 'Blue mussels').getByLabel('Price', { exact: true }).inputValue(), '15')
  await press(page, 'Save')
  await page.getByText('Saved Blue mussels.').waitFor()
  assert.equal((await product('Blue mussels')).price, 15)
})

test('only what is DISABLED can be deleted, and it is gone at once', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=Harbour')
  const { page } = at
  assert.ok(await page.getByRole('button', { name: 'Delete Harbour trout' }).isDisabled())
  await press(page, 'Edit Harbour trout')
  await edit(page, 'Harbour trout').getByLabel('Status').selectOption('DISABLED')
  await press(page, 'Save')
  await page.getByText('Saved Harbour trout.').waitFor()
  await press(page, 'Delete Harbour trout')
  await page.getByText('Deleted Harbour trout.').waitFor()
  assert.equal(await row(page, 'Harbour trout').count(), 0)
  assert.ok(!(await products()).some(({ title }) => title === 'Harbour trout'))
})

test('what is chosen changes together, and can be taken back', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=squid')
  const { page } = at
  const price = (await product('Arrow squid')).price
  await page.getByLabel('Choose Arrow squid').check()
  const form = page.getByRole('form', { name: 'Change what is chosen' })
  await form.getByLabel('Price').selectOption('percent')
  await form.getByLabel('Amount').fill('10')
  await form.getByLabel('Stock').fill('77')
  await press(page, 'Change 1')
  await page.getByText('Changed 1 product.').waitFor()
  const changed = await product('Arrow squid')
  assert.deepEqual([changed.price, changed.stock], [Math.round(price * 110) / 100, 77])
  await press(page, 'Undo the change')
  await page.getByText('Undone.').waitFor()
  assert.equal((await product('Arrow squid')).price, price)
})

test('products go out as CSV and come in again; bad lines are named and nothing is written', async () => {
  await using at = await visitAsManager(server, '/manage/product')
  at.expectProblem(/status of 400/)
  const { page } = at
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  const csv = await readFile(await (await downloading).path(), 'utf8')
  assert.match(csv, /Sydney rock oysters/)
  const choose = (text: string) =>
    page
      .getByLabel('CSV file to import')
      .setInputFiles({ name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  const dialog = page.getByRole('dialog').filter({ hasText: 'Import products.csv' })

  await choose(csv)
  await dialog.getByText(/This would be: 0 new, 0 changed/).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await choose(csv.replaceAll('Pacific oysters', 'Large Pacific oysters'))
  await dialog.getByText(/Line \d+: (Large )?Pacific oysters/).waitFor()
  await keepScreen(page, 'manage-product-csv')
  await dialog.getByRole('button', { name: /^Apply 1 change$/ }).click()
  await dialog.getByText(/^Done: 0 new, 1 changed/).waitFor()
  await product('Large Pacific oysters')
  await dialog.getByRole('button', { name: 'Done' }).click()

  const lines = csv.split(/\r?\n/)
  const bad = [lines[0], lines[1]?.replace('ACTIVE', 'ASLEEP'), ...lines.slice(2)].join('\r\n')
  await choose(bad)
  await dialog.getByText('Line 2').waitFor()
  assert.equal(await dialog.getByRole('button', { name: /^Apply/ }).count(), 0)
})

test('pictures are dropped on the form and put in order by dragging', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=Octopus')
  const { page } = at
  await press(page, 'Edit Octopus')
  const form = edit(page, 'Octopus')
  const { buffer } = await pictureFile(server, 'Albacore', 'dropped.webp')
  const dropped = await page.evaluateHandle((base64) => {
    const data = new DataTransfer()
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
    data.items.add(new File([bytes], 'dropped.webp', { type: 'image/webp' }))
    data.items.add(new File(['x'], 'notes.txt', { type: 'text/plain' }))
    return data
  }, buffer.toString('base64'))
  await form
    .getByRole('region', { name: 'Images, drop place' })
    .dispatchEvent('drop', { dataTransfer: dropped })
  await form.getByText('notes.txt is not a picture that can be taken').waitFor()
  const pictures = form.getByRole('region', { name: 'Images, drop place' }).getByRole('listitem')
  assert.equal(await pictures.count(), 2)
  await pictures.nth(1).locator('img').dragTo(pictures.nth(0).locator('img'))
  await pictures.nth(0).getByText('dropped.webp').waitFor()
  await form.getByLabel('What picture 1 shows').fill('Dropped here')
  await press(page, 'Save')
  await page.getByText('Saved Octopus.').waitFor()
  assert.equal((await product('Octopus')).images[0]?.alt, 'Dropped here')
})

test('a thousand products come in by CSV at once, and the list has them in pages', async () => {
  await using at = await visitAsManager(server, '/manage/product')
  const { page } = at
  const count = (await products()).length
  const rows = Array.from(
    { length: 1_000 },
    (_, i) => `Trial fillet ${i},Fish,${(10 + i / 100).toFixed(2)},INACTIVE`,
  )
  const buffer = Buffer.from(['title,category,price,status', ...rows].join('\r\n'))
  await page
    .getByLabel('CSV file to import')
    .setInputFiles({ name: 'thousand.csv', mimeType: 'text/csv', buffer })
  const dialog = page.getByRole('dialog').filter({ hasText: 'Import thousand.csv' })
  await dialog.getByRole('button', { name: 'Apply 1000 changes' }).click()
  await dialog.getByText(/^Done: 1000 new/).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText(`1–50 of ${count + 1_000} products`).waitFor()
  await page.getByRole('link', { name: 'Last' }).click()
  await page.waitForURL(/page=\d+$/)
  assert.equal((await products()).length, count + 1_000)
})
