import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible, assertNoSidewaysScroll } from '../support/accessible.ts'
import { ann, signUp } from '../support/account.ts'
import { sampleBox } from '../support/box-page.ts'
import { visit } from '../support/browser.ts'
import {
  assertAccessibleAcross,
  banner,
  deleteRow,
  desktop,
  openManaged,
  rowOf,
  rowsOf,
  visitAsManager,
} from '../support/manager.ts'
import { pictureFile } from '../support/pictures.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

const phone = { viewport: { width: 390, height: 844 } }
const screens = [
  '/manage',
  '/manage/user',
  '/manage/category?q=fish',
  '/manage/product?q=king',
  '/manage/box?q=034557944',
  `/manage/box/${sampleBox}`,
]

const change = (path: string, fields: object): Promise<Response> =>
  server.call(path, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  })

test('visitors without rights get no managers’ screen', async () => {
  await using at = await visit(server.url)
  at.expectProblem(/status of 40[13]/)
  for (const path of screens) {
    assert.equal((await at.page.goto(path))?.status(), 403, path)
    await eventually(() => at.page.getByRole('navigation', { name: 'Managing' }).count(), 0)
  }
})

test('moments on managers’ screens are written as people say them', async () => {
  await using at = await visitAsManager(server, '/manage/box')
  const { page } = at
  const written = page.getByRole('main').locator('time:visible') // the list beside is hidden at this width
  for (const path of ['/manage/box', `/manage/box/${sampleBox}`]) {
    await openManaged(page, path)
    await written.first().waitFor()
    for (const text of await written.allTextContents())
      assert.match(text, /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+ [A-Z][a-z]+( \d{4})?, \d+:\d\d [ap]m$/, path)
  }
})

test('an account is found and edited, cannot remove the last administrator, and is deleted when DISABLED', async () => {
  await using guest = await visit(server.url)
  await signUp(guest.page, ann)
  await guest.page.getByText(/An activation email was sent/).waitFor()
  await using at = await visitAsManager(server, '/manage/user')
  at.expectProblem(/status of 409/)
  const { page } = at
  await page.getByLabel('Search users').fill("o'lee")
  await page.getByLabel('Search users').press('Enter')
  await page.waitForURL(/q=o/)
  const row = rowOf(page, 'Users', "Ann O'Lee")
  await row.getByText('INACTIVE').waitFor()
  await eventually(() => page.getByRole('button', { name: "Delete Ann O'Lee" }).isDisabled(), true)
  await page.getByRole('button', { name: "Edit Ann O'Lee" }).click()
  const form = page.getByRole('form', { name: `Edit ${ann.email}` })
  await form.getByLabel('First name').fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('first name is required').waitFor()
  await form.getByLabel('First name').fill('Anna')
  await form.getByLabel('Status').selectOption('DISABLED')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText("Saved Anna O'Lee.").waitFor()

  const [account]: { _id: string }[] = (
    await (await server.call(`/api/user/all?page=1&q=${encodeURIComponent("o'lee")}`)).json()
  ).rows
  assert.equal((await change(`/api/user/${account?._id}`, { status: 'INACTIVE' })).status, 200)
  await deleteRow(page, "Anna O'Lee")
  await banner(page).getByText('Error: Only a DISABLED user can be deleted.').waitFor()
  await rowOf(page, 'Users', "Anna O'Lee").waitFor()
  assert.equal((await change(`/api/user/${account?._id}`, { status: 'DISABLED' })).status, 200)
  await deleteRow(page, "Anna O'Lee")
  await page.getByText("Deleted Anna O'Lee.").waitFor()

  await page.getByRole('link', { name: 'Clear' }).click()
  await page.waitForURL((url) => url.search === '')
  const own = rowsOf(page, 'Users').first()
  await own.getByRole('button', { name: /^Edit/ }).click()
  await own.getByLabel('Role').selectOption('USER')
  await own.getByRole('button', { name: 'Save' }).click()
  await banner(page)
    .getByText(/^Error: .*(own rights|last active administrator)/)
    .waitFor()
  await own.getByRole('row').first().getByText('ADMIN', { exact: true }).waitFor()
})

test('a category is added, shows in everybody’s navigation bar, and is deleted only without products', async () => {
  await using guest = await visit(server.url, desktop)
  await using at = await visitAsManager(server, '/manage/category')
  at.expectProblem(/status of 409/)
  const { page } = at
  await page.getByRole('heading', { name: 'Add New Category' }).click()
  const form = page.getByRole('form', { name: 'Add New Category' })
  await form.getByLabel('Title').fill('Smoked fish')
  await form.getByRole('button', { name: 'Add category' }).click()
  await form.getByText('shelf position is required').waitFor()
  await form.getByLabel('Shelf position').fill('9')
  await form.getByLabel('Icon').selectOption('tuna')
  await form.locator('input[type=file]').setInputFiles(await pictureFile(server, 'Albacore', 'smoked.webp'))
  await form.getByRole('button', { name: 'Add category' }).click()
  await page.getByText('Added Smoked fish.').waitFor()
  await rowOf(page, 'Categories', 'Smoked fish').waitFor()
  const inBar = (of: Page) =>
    of.getByRole('navigation', { name: 'Categories' }).getByRole('link', { name: 'Smoked fish' })
  await page.getByRole('link', { name: 'View shop' }).click()
  await inBar(page).waitFor()
  await page.goBack()
  await rowOf(page, 'Categories', 'Smoked fish').waitFor()
  await guest.page.reload()
  await inBar(guest.page).waitFor()

  await page.getByRole('button', { name: 'Edit Smoked fish' }).click()
  const renamed = page.getByRole('form', { name: 'Edit Smoked fish' })
  await renamed.getByLabel('Title').fill('Oy sters')
  await renamed.getByRole('button', { name: 'Save' }).click()
  await banner(page)
    .getByText(/^Error: /)
    .waitFor()
  await rowOf(page, 'Categories', 'Smoked fish').waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await rowOf(page, 'Categories', 'Smoked fish').getByText('not saved').waitFor()
  await page.getByRole('button', { name: 'Edit Smoked fish' }).click()
  await eventually(() => renamed.getByLabel('Title').inputValue(), 'Oy sters')
  await renamed.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard changes' }).click()

  const edit = async (title: string, status: string) => {
    await page.getByRole('button', { name: `Edit ${title}`, exact: true }).click()
    const open = page.getByRole('form', { name: `Edit ${title}`, exact: true })
    await open.getByLabel('Status').selectOption(status)
    await open.getByRole('button', { name: 'Save' }).click()
    await page.getByText(`Saved ${title}.`).waitFor()
  }
  await edit('Oysters', 'DISABLED')
  await deleteRow(page, 'Oysters')
  await banner(page)
    .getByText(/^Error: /)
    .waitFor()
  await rowOf(page, 'Categories', 'Oysters').waitFor()
  await saveScreenshot(page, 'manage-category-refused')
  await edit('Oysters', 'ACTIVE')
  await edit('Smoked fish', 'DISABLED')
  await deleteRow(page, 'Smoked fish')
  await page.getByText('Deleted Smoked fish.').waitFor()
  await guest.page.reload()
  await guest.page
    .getByRole('navigation', { name: 'Categories' })
    .getByRole('link', { name: 'Oysters' })
    .waitFor()
  await eventually(() => inBar(guest.page).count(), 0)
})

test('a list is navigated and a row edited with the keyboard alone', async () => {
  await using at = await visitAsManager(server, '/manage/category')
  const { page } = at
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
  const firstEdit = page.getByRole('button', { name: /^Edit/ }).first()
  await firstEdit.click({ trial: true })
  await firstEdit.focus()
  const first = await focused()
  await page.keyboard.press('ArrowDown')
  const second = await focused()
  assert.notEqual(second, first)
  await page.keyboard.press('ArrowUp')
  assert.equal(await focused(), first)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByLabel('Title').last().waitFor()
  await page.keyboard.press('Escape')
  await page.waitForFunction((name) => document.activeElement?.getAttribute('aria-label') === name, second)
  await page.keyboard.press('Enter')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('Fish and more')
  await page.keyboard.press('Enter')
  await page.getByText('Saved Fish and more.').waitFor()
  await page.waitForFunction(
    () => document.activeElement?.getAttribute('aria-label') === 'Edit Fish and more',
  )
})

test('filters, order and pages are in the URL and work with Back', async () => {
  await using at = await visitAsManager(server, '/manage/product?sort=price&dir=desc')
  const { page } = at
  await page.getByLabel('Status', { exact: true }).last().selectOption('DISABLED')
  await page.waitForURL(/status=DISABLED/)
  await rowOf(page, 'Products', 'Jackass morwong').waitFor()
  await page.getByLabel('Search products').fill('no such fish')
  await page.getByLabel('Search products').press('Enter')
  await page.getByText('No products match.').waitFor()
  await page.goBack()
  await rowOf(page, 'Products', 'Jackass morwong').waitFor()
  await page.goBack()
  await page.waitForURL(/\?sort=price&dir=desc$/)
  await eventually(() => page.getByLabel('Search products').inputValue(), '')
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.getByText(/^1–50 of /).waitFor()
  const [first] = await titlesShown(page)
  await pages.getByRole('link', { name: 'Next' }).click()
  await page.waitForURL(/sort=price&dir=desc&after=[\w-]+$/)
  await pages.getByText(/^51–/).waitFor()
  const second = await titlesShown(page)
  const address = page.url()
  await pages.getByRole('link', { name: 'Previous' }).click()
  await page.waitForURL(/\?sort=price&dir=desc$/)
  await eventually(async () => (await titlesShown(page))[0], first)
  await page.goto(address)
  assert.deepEqual(await titlesShown(page), second, 'a link to a page')
  await page.goto(address.replace('dir=desc', 'dir=asc'))
  await page.waitForURL(/\?sort=price&dir=asc$/)
  await pages.getByText(/^1–50 of /).waitFor()
  await page.goto(`${server.url}/manage/product?sort=price&dir=desc&page=3`)
  assert.deepEqual(
    (await titlesShown(page))[0],
    first,
    'an address from before places were is the first page',
  )
  await page.goto(`${server.url}/manage/product?before=end`)
  await pages.getByText(/–(\d+) of \1 products$/).waitFor()
  await eventually(() => pages.getByRole('link', { name: 'Next' }).count(), 0)
})

/** Titles of the products that a page shows. */
const titlesShown = (page: Page): Promise<string[]> =>
  page.getByRole('table', { name: 'Products' }).getByRole('rowheader').allTextContents()

test('every screen is accessible and fits, from phone to desktop, in light and dark', async () => {
  await using at = await visitAsManager(server, '/manage')
  const { page } = at
  for (const path of screens) {
    await openManaged(page, path)
    await assertAccessibleAcross(page)
    await saveScreenshot(page, path.split('?', 1)[0]?.slice(1).replaceAll('/', '-') ?? '')
  }
})

test('on a phone a product is edited, its form accessible', async () => {
  await using at = await visitAsManager(server, '/manage/product?q=Albacore', phone)
  const { page } = at
  await page.getByRole('button', { name: 'Edit Albacore' }).click()
  await assertAccessible(page)
  await assertNoSidewaysScroll(page)
  await saveScreenshot(page, 'manage-product-phone')
  const form = page.getByRole('form', { name: 'Edit Albacore' })
  await form.getByLabel('Stock').fill('12')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved Albacore.').waitFor()
})
