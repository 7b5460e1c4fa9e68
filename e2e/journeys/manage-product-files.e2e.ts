import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { zipOf } from '../../tools/test/zip.ts'
import { untilHydrated } from '../support/browser.ts'
import { assertAccessibleAcross, desktop, press, visitAsManager } from '../support/manager.ts'
import { noisePicture, pictureFile } from '../support/pictures.ts'
import { editOf as edit, productNamed, productsOf } from '../support/products.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer({ env: { PICTURE_PRIVATE_HOSTS: 'localhost' } }))

const products = () => productsOf(server)
const product = (title: string) => productNamed(server, title)

test('products are exported as CSV and imported again; invalid lines are named and nothing is written', async () => {
  await using at = await visitAsManager(server, '/manage/product')
  at.expectProblem(/status of 400/)
  const { page } = at
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV for import' }).click()
  const csv = await readFile(await (await downloading).path(), 'utf8')
  assert.match(csv, /Sydney rock oysters/)
  const choose = (text: string) =>
    page
      .getByLabel('CSV or ZIP file to import')
      .setInputFiles({ name: 'products.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  const dialog = page.getByRole('dialog').filter({ hasText: 'Import products.csv' })

  const template = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV template' }).click()
  await choose(await readFile(await (await template).path(), 'utf8'))
  await dialog.getByText('One line is an example and is left out.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await choose(csv)
  await dialog.getByText(/Ready to import: 0 new, 0 updated/).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await choose(csv.replaceAll('Pacific oysters', 'Large Pacific oysters'))
  await dialog.getByText(/Line \d+: (Large )?Pacific oysters/).waitFor()
  await saveScreenshot(page, 'manage-product-csv')
  await dialog.getByRole('button', { name: /^Apply 1 change$/ }).click()
  await dialog.getByText(/^Imported: 0 new, 1 updated/).waitFor()
  await product('Large Pacific oysters')
  await dialog.getByRole('button', { name: 'Done' }).click()

  const lines = csv.split(/\r?\n/)
  const bad = [lines[0], lines[1]?.replace('ACTIVE', 'ASLEEP'), ...lines.slice(2)].join('\r\n')
  await choose(bad)
  await dialog.getByText('Line 2').waitFor()
  await eventually(() => dialog.getByRole('button', { name: /^Apply/ }).count(), 0)
})

test('a category that is mistyped is read as the one most like it by a press, which can be taken back', async () => {
  await using at = await visitAsManager(server, '/manage/product', {
    viewport: { width: 360, height: 740 },
  })
  const { page } = at
  const csv = 'title,category,price\r\nMistyped snapper,Fihs,30\r\nMistyped bream,Fihs,20\r\n'
  await page
    .getByLabel('CSV or ZIP file to import')
    .setInputFiles({ name: 'typed.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  const dialog = page.getByRole('dialog').filter({ hasText: 'Import typed.csv' })
  await dialog.getByText('2 mistakes in the file').waitFor()
  await saveScreenshot(page, 'manage-product-csv-category')
  await dialog.getByRole('button', { name: 'Read as “Fish”' }).focus()
  await page.keyboard.press('Enter')
  const back = dialog.getByRole('button', { name: 'Not “Fish”' })
  await dialog.getByText('Ready to import: 2 new, 0 updated, 0 unchanged.').waitFor()
  await eventually(() => back.evaluate((button) => button === document.activeElement), true)
  await page.keyboard.press('Enter')
  await dialog.getByText('2 mistakes in the file').waitFor()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Apply 2 changes' }).click()
  await dialog.getByText(/^Imported: 2 new/).waitFor()
  assert.equal((await products()).filter(({ title }) => title.startsWith('Mistyped')).length, 2)
})

test('a ZIP brings a product with its picture, on sale at once; what is wrong with it is named by its line', async () => {
  await using at = await visitAsManager(server, '/manage/product', {
    viewport: { width: 360, height: 740 },
  })
  const { page } = at
  await page.getByText('Products with pictures', { exact: true }).click()
  await page.getByText('Put the CSV file and the pictures into one ZIP.').waitFor()
  const { buffer } = await pictureFile(server, 'Albacore', 'zipped.webp')
  const choose = (pictures: string) =>
    page.getByLabel('CSV or ZIP file to import').setInputFiles({
      name: 'products.zip',
      mimeType: 'application/zip',
      buffer: zipOf([
        {
          name: 'products.csv',
          bytes: Buffer.from(
            `title,category,price,status,pictures\r\nZipped bonito,Fish,12,ACTIVE,${pictures}\r\n`,
          ),
        },
        { name: 'zipped.webp', bytes: buffer, method: 0 },
        { name: 'spare.webp', bytes: buffer, method: 0 },
      ]),
    })
  const dialog = page.getByRole('dialog').filter({ hasText: 'Import products.zip' })
  await choose('gone.webp')
  await dialog.getByText('There is no “gone.webp” in the ZIP').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await choose('zipped.webp')
  await dialog.getByText('Ready to import: 1 new, 0 updated, 0 unchanged.').waitFor()
  await dialog.getByText('No line names spare.webp: left out.').waitFor()
  await saveScreenshot(page, 'manage-product-zip')
  await dialog.getByRole('button', { name: 'Apply 1 change' }).click()
  await dialog.getByText('Imported: 1 new, 0 updated, 0 unchanged.').waitFor()
  assert.equal((await product('Zipped bonito')).images.length, 1)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await choose('zipped.webp')
  await dialog.getByText('Ready to import: 0 new, 0 updated, 1 unchanged.').waitFor()
})

test('pictures at addresses are fetched after the lines are in; what cannot be had is told, tried again and left out', async () => {
  let isThere = false
  const picture = noisePicture('fish.png', 60).buffer
  const others = createServer((request, response) => {
    if (request.url === '/dory.jpg' || (request.url === '/late.jpg' && isThere)) response.end(picture)
    else response.writeHead(404).end()
  }).listen(0)
  after(() => others.close())
  await once(others, 'listening')
  const url = `http://localhost:${(others.address() as AddressInfo).port}`
  await using at = await visitAsManager(server, '/manage/product')
  const { page } = at
  const lines = ['dory', 'late', 'never'].map((name) => `Linked ${name},Fish,30,ACTIVE,${url}/${name}.jpg`)
  await page.getByLabel('CSV or ZIP file to import').setInputFiles({
    name: 'linked.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['title,category,price,status,pictures', ...lines].join('\n')),
  })
  const dialog = page.getByRole('dialog').filter({ hasText: 'Import linked.csv' })
  await dialog.getByText('3 pictures to be fetched.', { exact: false }).waitFor()
  await dialog.getByRole('button', { name: 'Apply 3 changes' }).click()
  await dialog.getByText(/^Imported: 3 new/).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const status = async (title: string) => (await product(title)).status
  await eventually(() => status('Linked dory'), 'ACTIVE')
  const list = page.getByRole('table', { name: 'Pictures to be fetched' })
  const given = list.getByRole('row').filter({ hasText: 'given up' })
  const failed = async () => {
    await page.reload()
    return await given.count()
  }
  await eventually(failed, 2)
  await untilHydrated(page)
  await given.filter({ hasText: 'Linked never' }).getByText('It answered 404.').waitFor()
  assert.equal(await status('Linked late'), 'INACTIVE')
  await assertAccessibleAcross(page)
  await saveScreenshot(page, 'manage-product-linked')
  isThere = true
  await press(page, `Try again: ${url}/late.jpg`)
  await eventually(() => status('Linked late'), 'ACTIVE')
  await press(page, `Leave out: ${url}/never.jpg`)
  await page.getByText('A picture of Linked never is left out.').waitFor()
  await list.waitFor({ state: 'detached' })
})

test('images are dropped on the form and reordered by dragging', async () => {
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
  await form.getByText('notes.txt is not a picture that can be uploaded').waitFor()
  const pictures = form.getByRole('region', { name: 'Images, drop place' }).getByRole('listitem')
  await eventually(() => pictures.count(), 2)
  await pictures.nth(1).locator('img').dragTo(pictures.nth(0).locator('img'))
  await pictures.nth(0).getByText('dropped.webp').waitFor()
  await form.getByLabel('Alt text for picture 1').fill('Dropped here')
  await press(page, 'Save')
  await page.getByText('Saved Octopus.').waitFor()
  assert.equal((await product('Octopus')).images[0]?.alt, 'Dropped here')
})

test('an upload shows its progress', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=Cuttlefish', {
    ...desktop,
    network: 'fast',
  })
  const { page, context } = at
  const line = await context.newCDPSession(page)
  const uploadAt = (uploadThroughput: number) =>
    line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await press(page, 'Edit Cuttlefish')
  await edit(page, 'Cuttlefish').locator('input[type=file]').setInputFiles(noisePicture('noise.png', 500))
  await edit(page, 'Cuttlefish').getByText('noise.png').waitFor()
  await uploadAt(40_000)
  await press(page, 'Save')
  await page.getByRole('progressbar', { name: /Uploading pictures/ }).waitFor()
  await page.getByText(/^[1-9]\d?%$/).waitFor()
  await uploadAt(-1)
  await page.getByText('Saved Cuttlefish.').waitFor()
  assert.equal((await product('Cuttlefish')).images.length, 2)
})

test('a thousand products are imported from CSV, exported, changed and imported again, and the list has them in pages', async () => {
  await using at = await visitAsManager(server, '/manage/product')
  const { page } = at
  const count = (await products()).length
  const rows = Array.from(
    { length: 1_000 },
    (_, i) => `Trial fillet ${i},Fish,${(10 + i / 100).toFixed(2)},INACTIVE`,
  )
  const dialog = page.getByRole('dialog').filter({ hasText: 'Import thousand.csv' })
  const bringIn = async (csv: string, words: RegExp): Promise<void> => {
    const file = { name: 'thousand.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
    await page.getByLabel('CSV or ZIP file to import').setInputFiles(file)
    await dialog.getByRole('button', { name: 'Apply 1000 changes' }).click()
    await dialog.getByText(words).waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
  }
  await bringIn(['title,category,price,status', ...rows].join('\r\n'), /^Imported: 1000 new, 0 updated/)
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV for import' }).click()
  const csv = await readFile(await (await downloading).path(), 'utf8')
  const trial = csv.split('\r\n').filter((line) => line.includes('Trial fillet'))
  assert.equal(trial.length, 1_000)
  await bringIn(csv.replaceAll(',Trial fillet ', ',Trial steak '), /^Imported: 0 new, 1000 updated/)
  const all = (count + 1_000).toLocaleString('en-AU')
  await page.getByText(`1–50 of ${all} products`).waitFor()
  await page.getByRole('link', { name: 'Last' }).click()
  await page.waitForURL(/before=end$/)
  await page.getByRole('link', { name: 'Next' }).waitFor({ state: 'detached' })
  await page.getByText(`–${all} of ${all} products`).waitFor()
  const after = await products()
  assert.equal(after.length, count + 1_000)
  assert.equal(after.filter(({ title }) => title.startsWith('Trial steak ')).length, 1_000)
  assert.equal(after.find(({ title }) => title === 'Trial steak 999')?.price, 19.99)
})
