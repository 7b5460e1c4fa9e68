import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessibleEverywhere } from '../support/accessible.ts'
import { pauseRequests, untilHydrated, visit } from '../support/browser.ts'
import { desktop } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

const phone = { viewport: { width: 360, height: 800 } }
const found = (page: Page) => page.getByRole('status').filter({ hasText: /^\d+ of \d+ products$/ })
const fold = (page: Page) => page.locator('summary').filter({ hasText: 'Filter and sort' })
const category = (page: Page) => page.getByLabel('Category')

for (const [name, size] of Object.entries({ phone, desktop }))
  test(`filters chosen on a ${name} without JavaScript apply by their button`, async () => {
    await using at = await visit(`${server.url}/product`, { ...size, javaScriptEnabled: false })
    at.expectProblem(/ csp$/)
    const { page } = at
    if (name === 'phone') await fold(page).click()
    await category(page).selectOption('Oysters')
    await page.getByLabel('In stock only').check()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL(/category=Oysters.*stock=in/)
    await found(page).waitFor()
    await eventually(() => category(page).inputValue(), 'Oysters')
    await eventually(() => page.getByRole('main').getByRole('link', { name: 'Pipis' }).count(), 0)
  })

test('menus opened and filters chosen before hydration apply after it', async () => {
  await using at = await visit(server.url, phone)
  const { page } = at
  const resumeRequests = await pauseRequests(page, /\/assets\/(?!entry-start)[^/]+\.js$/)
  await page.goto('/product?q=oysters', { waitUntil: 'commit' })
  await fold(page).click()
  await category(page).selectOption('Oysters')
  await page.getByLabel('Sort by').selectOption('price-up')
  await saveScreenshot(page, 'filters-before-script')
  resumeRequests()
  await page.waitForURL((url) => {
    const { searchParams: asked } = url
    return (
      asked.get('q') === 'oysters' && asked.get('category') === 'Oysters' && asked.get('sort') === 'price-up'
    )
  })
  await found(page).waitFor()
  await category(page).waitFor()
  await eventually(() => category(page).inputValue(), 'Oysters')
  await assertAccessibleEverywhere(page)
})

test('filters of a URL stay as they are at hydration, and are collapsed on a phone only', async () => {
  await using at = await visit(`${server.url}/product?category=oysters&stock=in&fresh=2`, phone)
  const { page } = at
  await untilHydrated(page)
  await found(page).waitFor()
  assert.equal(new URL(page.url()).search, '?category=oysters&stock=in&fresh=2')
  await eventually(() => category(page).isVisible(), false)
  await page.setViewportSize({ width: 1280, height: 900 })
  await category(page).waitFor()
  await eventually(() => fold(page).isVisible(), false)
})

test('each choice and each search is one step of Back, in a URL that has only what was asked', async () => {
  await using at = await visit(`${server.url}/product`, desktop)
  const { page } = at
  await untilHydrated(page)
  const search = () => new URL(page.url()).search
  await category(page).selectOption('Oysters')
  await page.waitForURL(`${server.url}/product?category=Oysters`)
  await page.getByLabel('In stock only').check()
  await page.waitForURL(/stock=in/)
  assert.equal(search(), '?category=Oysters&stock=in')
  await page.getByLabel('To', { exact: true }).fill('90')
  await page.getByLabel('To', { exact: true }).press('Enter')
  await page.waitForURL(/max=90/)
  assert.equal(search(), '?category=Oysters&max=90&stock=in')
  await page.getByLabel('To', { exact: true }).press('Enter') // the same once more is no step
  await page.goBack()
  await page.waitForURL((url) => url.search === '?category=Oysters&stock=in')
  await page.goBack()
  await page.waitForURL((url) => url.search === '?category=Oysters')
  await page.getByRole('checkbox', { name: 'In stock only', checked: false }).waitFor()
  await page.goBack()
  await page.waitForURL((url) => url.search === '')
  await page.getByRole('link', { name: 'Clear all filters' }).waitFor({ state: 'detached' })
  await eventually(() => category(page).inputValue(), '')
})

test('a form sent without script leads to a URL without empty fields', async () => {
  await using at = await visit(`${server.url}/product?q=&category=Oysters&min=&stock=in&sort=`)
  assert.equal(new URL(at.page.url()).search, '?category=Oysters&stock=in')
  await untilHydrated(at.page)
  await at.page.goto('/product?q=')
  assert.equal(at.page.url(), `${server.url}/product`)
})

/** Products of a page of a public list. */
const ON_A_PAGE = 48

test('the last page says which of all products it has, also where that is one', async () => {
  const all: unknown[] = await (await server.call('/api/product/active')).json()
  const pages = Math.ceil(all.length / ON_A_PAGE)
  assert.ok(pages > 1, 'the sample has more than a page')
  const html = await (await server.call(`/product?page=${pages}`)).text()
  const first = (pages - 1) * ON_A_PAGE + 1
  assert.ok(html.includes(`${first}–${all.length} of ${all.length} products`), 'the range is named')
})
