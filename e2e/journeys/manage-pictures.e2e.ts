import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessibleAcross, press, visitAsManager } from '../support/manager.ts'
import { callJson } from '../support/order.ts'
import { noisePicture, programNamed } from '../support/pictures.ts'
import { productNamed, productsOf } from '../support/products.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'

const server = await startForFile(startServer())

const titles = async (): Promise<string[]> => (await productsOf(server)).map(({ title }) => title)
const openPanel = (page: Page) => page.locator('summary', { hasText: 'New from pictures' }).click()
const pictures = (page: Page) => page.getByLabel('Choose pictures for drafts')
const named = (name: string) => noisePicture(name, 60)

test('each picture becomes a draft that is not on sale; bad ones are named, and the whole drop can be undone but for what was changed since', async () => {
  await using at = await visitAsManager(server, '/manage/product')
  at.expectProblem(/status of 4(00|04|09)/)
  const { page } = at
  const before = await titles()
  await openPanel(page)
  const panel = page.getByRole('region', { name: 'New from pictures, drop place' })
  await panel.getByLabel('Category').selectOption('Oysters')
  await pictures(page).setInputFiles([
    named('harbour_trout.png'),
    named('###.png'),
    programNamed('invoice.png'),
    { ...programNamed('IMG_1.heic'), mimeType: 'image/heic' },
    named(`${'long '.repeat(50)}name.png`),
  ])
  await page.getByText('IMG_1.heic is HEIC, which browsers can’t read').waitFor()
  await page.getByText('3 drafts made. None is on sale yet.').waitFor()
  const failed = page.getByRole('list', { name: 'Not made' })
  await failed.getByText(/is not a JPEG, PNG, WebP or AVIF picture/).waitFor()
  await saveScreenshot(page, 'manage-pictures')
  await assertAccessibleAcross(page)
  const made = (await productsOf(server)).filter(({ title }) => !before.includes(title))
  assert.equal(made.length, 3)
  for (const { images } of made) assert.equal(images.length, 1)
  const draft = await productNamed(server, 'Harbour trout')
  const managed = await callJson(server, 'GET', `/api/product/${draft._id}/manage`)
  assert.deepEqual([managed.status, managed.price, managed.categoryTitle], ['INACTIVE', 0, 'Oysters'])

  await page.getByRole('link', { name: 'Show the drafts' }).click()
  await page.getByRole('button', { name: 'Change title of Harbour trout: Harbour trout' }).click()
  await page.getByLabel('Title of Harbour trout').fill('Harbour trout, whole')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('each')
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'Unit of Harbour trout, whole: each, was kg.' }).waitFor()
  await page.keyboard.press('Escape')

  await press(page, 'Undo the drop')
  await page.getByText('Harbour trout was changed since, and stays.').waitFor()
  await page.getByText('2 drafts taken back.').waitFor()
  await page.getByRole('button', { name: 'Undo the drop' }).waitFor({ state: 'detached' })
  assert.deepEqual((await titles()).sort(), [...before, 'Harbour trout, whole'].sort())
})

test('what fails in the middle holds nothing up, is told, and is made once when it is sent again', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=none')
  at.expectProblem(/ERR_(FAILED|EMPTY_RESPONSE|ABORTED)/)
  const { page } = at
  await openPanel(page)
  let sent = 0
  await page.route('**/api/product', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    sent += 1
    if (sent !== 2) return route.continue()
    await route.fetch() // the second is made, and its answer is lost
    return route.abort()
  })
  await pictures(page).setInputFiles(['Alpha', 'Beta', 'Gamma', 'Delta'].map((name) => named(`${name}.png`)))
  await page.getByText('3 drafts made.').waitFor()
  await page.getByRole('list', { name: 'Not made' }).getByText('No connection to the shop.').waitFor()
  await page.getByRole('button', { name: /^Try again:/ }).click()
  await page.getByText('4 drafts made.').waitFor()
  const made = await titles()
  for (const name of ['Alpha', 'Beta', 'Gamma', 'Delta'])
    assert.equal(made.filter((title) => title === name).length, 1, name)
})

test('pictures are dropped on the list itself', async () => {
  await using at = await visitAsManager(server, '/manage/product?category=')
  const { page } = at
  const { buffer } = named('Epsilon.png')
  const data = await page.evaluateHandle(
    (bytes) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([new Uint8Array(bytes)], 'Epsilon.png', { type: 'image/png' }))
      return transfer
    },
    [...buffer],
  )
  const place = page.getByRole('region', { name: 'Products, drop place for pictures' })
  await place.dispatchEvent('dragover', { dataTransfer: data })
  await place.dispatchEvent('drop', { dataTransfer: data })
  await page.getByText('1 draft made. None is on sale yet.').waitFor()
  await productNamed(server, 'Epsilon')
})
