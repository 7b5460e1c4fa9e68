import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { logOut } from '../support/account.ts'
import { pauseRequests, untilHydrated } from '../support/browser.ts'
import { banner, openManaged, press, rowOf, visitAsManager } from '../support/manager.ts'
import { pictureFile } from '../support/pictures.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually, until } from '../support/within.ts'

const server = await startForFile(startServer())

type Category = { _id: string; title: string; description: string; shelfPos: string; status: string }

const categories = async (): Promise<Category[]> => (await server.call('/api/category')).json()

async function category(title: string): Promise<Category> {
  const found = (await categories()).find((one) => one.title === title)
  assert.ok(found, `${title} is in the shop`)
  return found
}

async function makeCategory(title: string, status: string): Promise<void> {
  const picture = await pictureFile(server, 'Albacore', 'side.webp')
  const body = new FormData()
  for (const [name, value] of Object.entries({ title, status, shelfPos: '99' })) body.append(name, value)
  body.append('catImage', new Blob([new Uint8Array(picture.buffer)], { type: 'image/webp' }), 'side.webp')
  const answer = await server.call('/api/category', { method: 'POST', body })
  assert.equal(answer.status, 201, await answer.text())
}

async function change(title: string, fields: object): Promise<void> {
  const { _id } = await category(title)
  const headers = { 'content-type': 'application/json' }
  const answer = await server.call(`/api/category/${_id}`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify(fields),
  })
  assert.equal(answer.status, 200, await answer.text())
}

const edit = (page: Page, title: string) =>
  page.getByRole('form', { name: `Edit ${title}`, exact: true, includeHidden: false })
const question = (page: Page) =>
  page.getByRole('dialog').getByRole('heading', { name: 'Leave without saving?' })
const toUsers = (page: Page) =>
  page.getByRole('navigation', { name: 'Managing' }).getByRole('link', { name: 'Users' })

test('a draft survives a failed save, another row and a failed load, and leaving asks until it is saved', async () => {
  await using at = await visitAsManager(server, '/manage/category')
  at.expectProblem(/ERR_FAILED/)
  const { page } = at
  await press(page, 'Edit Oysters')
  await edit(page, 'Oysters').getByLabel('Description').fill('Half a sentence about oysters')
  await page.route('**/api/category/*', (route) => route.abort())
  await press(page, 'Save')
  await banner(page).getByText('Error: No connection to the shop.').waitFor()
  await page.unroute('**/api/category/*')

  await press(page, 'Edit Shellfish')
  await edit(page, 'Shellfish').getByLabel('Shelf position').fill('77')
  await page.route('**/api/category?*', (route) => route.abort())
  await press(page, 'Save')
  await page.getByText('Saved Shellfish.').waitFor()
  await rowOf(page, 'Categories', 'Shellfish').getByText('77').waitFor()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await saveScreenshot(page, 'manage-category-not-read')
  await page.unroute('**/api/category?*')
  await press(page, 'Try again')
  await page.getByRole('button', { name: 'Try again' }).waitFor({ state: 'detached' })

  await toUsers(page).click()
  await question(page).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
  await press(page, 'Keep editing Oysters')
  const words = edit(page, 'Oysters').getByLabel('Description')
  await eventually(() => words.inputValue(), 'Half a sentence about oysters')
  await press(page, 'Save')
  await page.getByText('Saved Oysters.').waitFor()
  assert.equal((await category('Oysters')).description, 'Half a sentence about oysters')
  await toUsers(page).click()
  await page.waitForURL('**/manage/user')
})

test('a draft survives a reload until it is saved or discarded, or its author logs out', async () => {
  await using at = await visitAsManager(server, '/manage/category')
  const { page } = at
  const adding = page.getByRole('form', { name: 'Add New Category' })
  const title = adding.getByLabel('Title')
  const readAgain = async () => {
    await page.reload()
    await untilHydrated(page)
  }
  await page.getByRole('heading', { name: 'Add New Category' }).click()
  await title.fill('Half a title')
  const picture = await pictureFile(server, 'Albacore', 'side.webp')
  await adding.locator('input[type=file]').setInputFiles(picture)
  await press(page, 'Edit Oysters')
  await edit(page, 'Oysters').getByLabel('Description').fill('Half a sentence')
  await readAgain()
  const text = edit(page, 'Oysters').getByLabel('Description')
  await until(60, 'what was typed is back', async () => (await text.inputValue()) === 'Half a sentence')
  await eventually(() => title.inputValue(), 'Half a title')
  await adding.getByText('A picture was not sent before this page was loaded anew.').waitFor()
  await press(page, 'Save')
  await page.getByText('Saved Oysters.').waitFor()
  assert.equal((await category('Oysters')).description, 'Half a sentence')

  await readAgain()
  await until(60, 'the other form is as it was', async () => (await title.inputValue()) === 'Half a title')
  await edit(page, 'Oysters').waitFor({ state: 'hidden' })
  await toUsers(page).click()
  await press(page, 'Discard changes')
  await page.waitForURL('**/manage/user')
  await openManaged(page, '/manage/category')
  await page.getByRole('heading', { name: 'Add New Category' }).click()
  await eventually(() => title.inputValue(), '')

  await title.fill('Not for the next one here')
  await logOut(page, 'Admin')
  const kept = await page.evaluate(() => Object.keys(window.sessionStorage))
  assert.deepEqual(
    kept.filter((key) => key.startsWith('draft')),
    [],
  )
})

test('the draft of a key with its checkboxes survives a reload, with its panel open', async () => {
  await using at = await visitAsManager(server, '/manage/key')
  const { page } = at
  await page.getByRole('heading', { name: 'Create API key' }).click()
  const form = page.getByRole('form', { name: 'Create API key' })
  await form.getByLabel('Name').fill('logger')
  const rights = form.getByRole('checkbox')
  await rights.nth(1).check()
  await page.reload()
  await form.getByLabel('Name').waitFor()
  await until(60, 'it is back', async () => (await form.getByLabel('Name').inputValue()) === 'logger')
  assert.deepEqual([await rights.first().isChecked(), await rights.nth(1).isChecked()], [false, true])
  await toUsers(page).click()
  await press(page, 'Discard changes')
  await page.waitForURL('**/manage/user')
  await openManaged(page, '/manage/key')
  await page.getByRole('heading', { name: 'Create API key' }).click()
  await eventually(() => form.getByLabel('Name').inputValue(), '')
})

test('discarding a draft closes its form, also where the page stays', async () => {
  await using at = await visitAsManager(server, '/manage/category')
  const { page } = at
  await page.getByRole('heading', { name: 'Add New Category' }).click()
  const adding = page.getByRole('form', { name: 'Add New Category' })
  await adding.getByLabel('Title').fill('Not kept')
  await press(page, 'Edit Oysters')
  await edit(page, 'Oysters').getByLabel('Shelf position').fill('Not kept either')
  await page.getByLabel('Sort by').selectOption('title')
  await question(page).waitFor()
  await press(page, 'Discard changes')
  await page.waitForURL(/sort=title/)
  await edit(page, 'Oysters').waitFor({ state: 'hidden' })
  await eventually(() => adding.getByLabel('Title').inputValue(), '')
  await toUsers(page).click()
  await page.waitForURL('**/manage/user')
})

test('a deleted row stays hidden while the list reloads, is no longer counted, and the focus moves to the next row', async () => {
  for (const title of ['Salt fish', 'Salt prawns']) await makeCategory(title, 'DISABLED')
  await using at = await visitAsManager(server, '/manage/category?q=Salt')
  const { page } = at
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.getByText('1–2 of 2 categories').waitFor()
  const goOn = await pauseRequests(page, /\/api\/category\/[^?]+$/)
  await page.getByRole('button', { name: 'Delete Salt fish' }).press('Enter')
  await page.getByRole('button', { name: 'Delete for good' }).press('Enter')
  await rowOf(page, 'Categories', 'Salt fish').waitFor({ state: 'detached' })
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await until(30, 'the focus is on the next row', async () => /Salt prawns/.test((await focused()) ?? ''))
  await page.getByLabel('Sort by').selectOption('title')
  await page.waitForURL(/sort=title/)
  await pages.getByText('1 of 1 category').waitFor()
  goOn()
  await page.getByText('Deleted Salt fish.').waitFor()
  await eventually(() => rowOf(page, 'Categories', 'Salt fish').count(), 0)
  assert.ok(!(await categories()).some(({ title }) => title === 'Salt fish'))

  await page.getByRole('button', { name: 'Delete Salt prawns' }).press('Enter')
  await page.getByRole('button', { name: 'Delete for good' }).press('Enter')
  await page.getByText('No categories match.').waitFor()
  await eventually(() => pages.count(), 0, 'the list says so itself')
  await page.getByText('Deleted Salt prawns.').waitFor()
  assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'BODY')
})

test('an error moves the focus to its field, of whatever kind, and goes when the field is corrected', async () => {
  await using at = await visitAsManager(server, '/manage/product')
  at.expectProblem(/status of 409/)
  const { page } = at
  await page.getByRole('heading', { name: 'Add New Product' }).click()
  const form = page.getByRole('form', { name: 'Add New Product' })
  await form.getByLabel('Title').fill('Harbour trout')
  await press(page, 'Add product')
  await form.getByText('category is required').waitFor()
  const named = (label: string) => form.getByLabel(label).evaluate((it) => it === document.activeElement)
  assert.ok(await named('Category'), 'the select has the focus')
  await form.getByLabel('Category').selectOption('Fish')
  await form.getByText('category is required').waitFor({ state: 'detached' })
  await form.getByLabel('Description').fill('long '.repeat(1_100))
  await press(page, 'Add product')
  await form.getByText('description must have at most').waitFor()
  assert.ok(await named('Description'), 'the text area has the focus')
  await form.getByLabel('Description').fill('short')
  await form.getByText('description must have at most').waitFor({ state: 'detached' })
  await page.getByRole('navigation', { name: 'Managing' }).getByRole('link', { name: 'Categories' }).click()
  await press(page, 'Discard changes')

  await press(page, 'Edit Oysters')
  const oysters = edit(page, 'Oysters')
  await oysters.getByLabel('Title').fill('Shell fish')
  await press(page, 'Save')
  await press(page, 'Keep editing Oysters')
  const taken = oysters.getByText('There is a category with this title already')
  await taken.waitFor()
  await oysters.getByLabel('Description').fill('another field')
  await eventually(() => taken.isVisible(), true, 'it is still wrong')
  await oysters.getByLabel('Title').fill('Oysters')
  await taken.waitFor({ state: 'detached' })
})

test('older history entries are loaded without a gap, however quickly they are requested', async () => {
  const COUNT = 101
  for (let at = 0; at < COUNT; at++) await change('Fish', { description: `change ${at}` })
  await using at = await visitAsManager(server, '/manage/category')
  at.expectProblem(/ERR_FAILED/)
  const { page } = at
  await press(page, 'History of Fish')
  const dialog = page.getByRole('dialog').filter({ hasText: 'History of Fish' })
  const shown = dialog.getByRole('list').locator(':scope > li')
  await until(30, 'the first page is there', async () => (await shown.count()) === 50)
  await page.route('**/api/history?*', (route) => route.abort())
  await dialog.getByRole('button', { name: 'Older changes' }).click()
  await dialog.getByText('Error: No connection to the shop.').waitFor()
  await eventually(() => shown.count(), 50, 'what was read stays')
  await page.unroute('**/api/history?*')
  await dialog.getByRole('button', { name: 'Try again' }).dblclick()
  await until(30, 'the second page is there', async () => (await shown.count()) >= 100)
  if ((await shown.count()) < COUNT) await dialog.getByRole('button', { name: 'Older changes' }).click()
  await until(30, 'all are there', async () => (await shown.count()) === COUNT)
  for (const at of [0, 49, 50, 51, COUNT - 2])
    await dialog.getByText(`change ${at}`, { exact: true }).first().waitFor()
})
