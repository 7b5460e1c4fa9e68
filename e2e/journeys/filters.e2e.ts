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
const sort = (page: Page) => page.getByLabel('Sort by')
const chips = (page: Page) => page.locator('details').filter({ has: fold(page) })
/** A choice as a link; one that would leave nothing is none. */
const chip = (page: Page, name: RegExp) => chips(page).getByRole('link', { name })
const chosenChips = (page: Page) => chips(page).locator('a[aria-current]').allTextContents()
const chosen = (page: Page) => page.getByRole('list', { name: 'Chosen filters' })
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

for (const [name, size] of Object.entries({ phone, desktop }))
  test(`filters chosen on a ${name} without JavaScript are links, and a form that keeps them applies by its button`, async () => {
    await using at = await visit(`${server.url}/product`, { ...size, javaScriptEnabled: false })
    at.expectProblem(/ csp$/)
    const { page } = at
    if (name === 'phone') await fold(page).click()
    await chip(page, /^Oysters/).click()
    await page.waitForURL(/\/product\?category=Oysters$/)
    if (name === 'phone') await fold(page).click()
    await sort(page).selectOption('name')
    await page.getByLabel('To', { exact: true }).fill('90')
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL((url) => url.search === '?category=Oysters&max=90&sort=name')
    await found(page).waitFor()
    await eventually(() => sort(page).inputValue(), 'name')
    await eventually(() => page.getByRole('main').getByRole('link', { name: 'Pipis' }).count(), 0)
  })

test('menus opened and filters chosen before hydration apply after it', async () => {
  await using at = await visit(server.url, phone)
  const { page } = at
  const resumeRequests = await pauseRequests(page, /\/assets\/(?!entry-start)[^/]+\.js$/)
  await page.goto('/product?category=Oysters&q=oysters', { waitUntil: 'commit' })
  await fold(page).click()
  await sort(page).selectOption('price-up')
  await saveScreenshot(page, 'filters-before-script')
  resumeRequests()
  await page.waitForURL((url) => {
    const { searchParams: asked } = url
    return (
      asked.get('q') === 'oysters' && asked.get('category') === 'Oysters' && asked.get('sort') === 'price-up'
    )
  })
  await found(page).waitFor()
  await sort(page).waitFor()
  await eventually(() => sort(page).inputValue(), 'price-up')
  await assertAccessibleEverywhere(page)
})

test('filters of a URL stay as they are at hydration, and are collapsed on a phone only', async () => {
  await using at = await visit(`${server.url}/product?category=oysters&stock=in&fresh=2`, phone)
  const { page } = at
  await untilHydrated(page)
  await found(page).waitFor()
  assert.equal(new URL(page.url()).search, '?category=oysters&stock=in&fresh=2')
  await eventually(() => sort(page).isVisible(), false)
  await page.setViewportSize({ width: 1280, height: 900 })
  await sort(page).waitFor()
  await eventually(
    () => chosenChips(page).then((all) => all.map((text) => text.replace(/\d.*/, ''))),
    ['Oysters', 'In stock', 'Good or better'],
  )
  await eventually(() => fold(page).isVisible(), false)
})

test('each choice and each search is one step of Back, in a URL that has only what was asked', async () => {
  await using at = await visit(`${server.url}/product`, desktop)
  const { page } = at
  await untilHydrated(page)
  const search = () => new URL(page.url()).search
  await chip(page, /^Oysters/).click()
  await page.waitForURL(`${server.url}/product?category=Oysters`)
  await chip(page, /^In stock/).click()
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
  await eventually(() => chosenChips(page).then((all) => all.length), 1)
  await page.goBack()
  await page.waitForURL((url) => url.search === '')
  await page.getByRole('link', { name: 'Clear all filters' }).waitFor({ state: 'detached' })
  await eventually(() => page.getByLabel('To', { exact: true }).inputValue(), '')
})

test('a form sent without script leads to a URL without empty fields', async () => {
  await using at = await visit(`${server.url}/product?q=&category=Oysters&min=&stock=in&sort=`)
  assert.equal(new URL(at.page.url()).search, '?category=Oysters&stock=in')
  await untilHydrated(at.page)
  await at.page.goto('/product?q=')
  assert.equal(at.page.url(), `${server.url}/product`)
})

test('chips say how many products they leave, apply at once, keep the focus, and go one by one or all at once', async () => {
  await using at = await visit(`${server.url}/product`, desktop)
  const { page } = at
  await untilHydrated(page)
  const special = chip(page, /On special/)
  const [, count = ''] = /(\d+)/.exec((await special.textContent()) ?? '') ?? []
  await special.focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${server.url}/product?special=yes`)
  await page
    .getByRole('status')
    .filter({ hasText: new RegExp(`^${count} of \\d+ products$`) })
    .waitFor()
  await eventually(() => focused(page).then((text) => text.includes('On special')), true)
  await chip(page, /^Whole/).click()
  await page.waitForURL((url) => url.search === '?cut=whole&special=yes')
  await chip(page, /^Fillets/).waitFor({ state: 'detached' }) // of what is on special no fillet is left: no link, but in its place
  await chips(page).getByText('Fillets').waitFor()
  await page
    .getByRole('status')
    .filter({ hasText: /^1 of \d+ products$/ })
    .waitFor()
  await assertAccessibleEverywhere(page)
  await chosen(page).getByRole('link', { name: 'Take off Whole' }).click()
  await page.waitForURL(`${server.url}/product?special=yes`)
  await eventually(() => focused(page), 'Products found')
  await page.goBack()
  await chosen(page).getByRole('link', { name: 'Take off Whole' }).waitFor()
  await chip(page, /^In stock/).click()
  await page.waitForURL((url) => url.search === '?cut=whole&special=yes&stock=in')
  await chosen(page).getByRole('link', { name: 'Clear all filters' }).click()
  await page.waitForURL((url) => url.search === '')
  await chosen(page).waitFor({ state: 'detached' })
})

test('on a phone the filters close when something is chosen, and by Escape, and say how many are left', async () => {
  await using at = await visit(`${server.url}/product`, phone)
  const { page } = at
  await untilHydrated(page)
  await fold(page).click()
  await chip(page, /Tracked box/).focus()
  await page.keyboard.press('Escape')
  await eventually(() => sort(page).isVisible(), false)
  await fold(page).click()
  await saveScreenshot(page, 'filters-chips-phone')
  await chip(page, /Tracked box/).click()
  await page.waitForURL(/tracked=yes/)
  await eventually(() => sort(page).isVisible(), false)
  await eventually(() => focused(page), 'Filter and sort')
  await found(page).waitFor()
  await chosen(page).getByRole('link', { name: 'Take off Tracked box' }).waitFor()
})

test('without JavaScript chips are links, also of a category', async () => {
  await using at = await visit(`${server.url}/category/Fish`, { ...desktop, javaScriptEnabled: false })
  at.expectProblem(/ csp$/)
  const { page } = at
  await page.getByRole('link', { name: /^On special/ }).click()
  await page.waitForURL(/\/category\/Fish\?special=yes$/)
  await page
    .getByRole('status')
    .filter({ hasText: /^\d products$/ })
    .waitFor()
  await chosen(page).getByRole('link', { name: 'Clear all filters' }).click()
  await page.waitForURL((url) => url.search === '')
})

test('an address that chooses the same twice leads to the one that does so once; a wrong one is refused', async () => {
  const at = (path: string) => fetch(server.url + path, { redirect: 'manual' })
  for (const [asked, led] of [
    ['/product?cut=whole&cut=fillets&origin=', '/product?cut=fillets,whole'],
    ['/category/Fish?cut=whole,fillets,whole', '/category/Fish?cut=fillets,whole'],
  ] as const) {
    const answer = await at(asked)
    assert.deepEqual([answer.status, answer.headers.get('location')], [302, led])
  }
  for (const wrong of ['bestBy=2026-02-30', 'cut=((', `origin=${'x'.repeat(1_000)}`, 'method=🐟'])
    for (const list of ['/product', '/category/Fish'])
      assert.equal((await at(`${list}?${wrong}`)).status, 400, `${list}?${wrong}`)
  assert.equal((await at('/product?category=oysters&stock=in&fresh=2')).status, 200)
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
