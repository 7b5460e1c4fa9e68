import assert from 'node:assert/strict'
import { test } from 'node:test'
import { untilHydrated, visit } from '../support/browser.ts'
import { desktop, rowOf, visitAsManager } from '../support/manager.ts'
import { startServerOnPostgres, withoutPostgres } from '../support/postgres.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually, until } from '../support/within.ts'

const server = await startForFile(startServer())

const NO_CONNECTION = 'Error: No connection to the shop. Check your network and try again.'

test('a page whose data cannot be loaded says so, and loads when tried again', async () => {
  await using at = await visit(server.url, desktop)
  at.expectProblem(/ERR_FAILED|ShopError/)
  const { page } = at
  await page.goto('/category/Oysters')
  await untilHydrated(page)
  await page.route('**/api/product/*', (route) => route.abort())
  await page.getByRole('main').getByRole('link', { name: 'Pacific oysters' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Unexpected Application Error!' }).waitFor()
  await page.getByRole('alert').getByText(NO_CONNECTION).waitFor()
  await page.unroute('**/api/product/*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Pacific oysters' }).waitFor()
})

test('an unexpected response shows an error page without details', async () => {
  await using at = await visit(server.url, desktop)
  at.expectProblem(/TypeError/)
  const { page } = at
  await page.goto('/category/Oysters')
  await untilHydrated(page)
  await page.route('**/api/product/*', (route) => route.fulfill({ json: {} }))
  await page.getByRole('main').getByRole('link', { name: 'Pacific oysters' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Unexpected Application Error!' }).waitFor()
  await eventually(() => page.getByRole('alert').textContent(), 'Error: Something went wrong.')
  assert.doesNotMatch(await page.getByRole('main').innerText(), /TypeError|undefined/)
})

test('a managers’ list that cannot be loaded shows a red banner, and loads when tried again', async () => {
  await using at = await visitAsManager(server, '/manage')
  at.expectProblem(/ERR_FAILED/)
  const { page } = at
  await page.route('**/api/product?*', (route) => route.abort())
  await page.getByRole('navigation', { name: 'Managing' }).getByRole('link', { name: 'Products' }).click()
  await page.getByRole('heading', { level: 1, name: 'Manage Product' }).waitFor()
  await page.getByRole('alert').getByText(NO_CONNECTION).waitFor()
  await page.unroute('**/api/product?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await rowOf(page, 'Products', 'Albacore').waitFor()
})

test('the desk whose routes cannot be fetched is said to be out of reach inside the shop, and opens when tried again', async () => {
  await using at = await visitAsManager(server, '/product')
  at.expectProblem(/ERR_FAILED|ShopError|dynamically imported/)
  const { page } = at
  await page.route(/\/assets\/desk-[^/]+\.js$/, (route) => route.abort())
  const bar = page.getByRole('navigation', { name: 'Main' })
  await bar.locator('summary', { hasText: 'Manage' }).click()
  await bar.locator('a[href="/manage/product"]').first().click()
  await page.getByRole('alert').getByText('This page could not be fetched.').waitFor()
  await bar.waitFor()
  await page.unroute(/\/assets\/desk-[^/]+\.js$/)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Manage Product' }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/manage/product')
})

test('without the categories navigation bar and landing page say so, and show them when they are back', {
  skip: withoutPostgres,
}, async () => {
  await using shop = await startServerOnPostgres({ mayLogErrors: true })
  await using at = await visit(shop.url, desktop)
  at.expectProblem(/status of 50[03]/)
  const { page } = at
  const answers = (status: number) => async () =>
    (await fetch(`${shop.url}/api/category/active`)).status === status
  await shop.query('alter table categories rename to lost')
  await shop.query("insert into events (kind) values ('catalogue.changed')")
  await until(60, 'the shop has heard of it', answers(500))
  assert.equal((await page.reload())?.status(), 503)
  const words = 'Error: Something went wrong.'
  const bar = page.getByRole('navigation', { name: 'Categories' })
  await bar.getByText(words).waitFor()
  const grid = page.getByRole('region', { name: 'Seafood Categories' })
  await grid.getByRole('alert').getByText(words).waitFor()
  await page.getByRole('heading', { level: 1 }).waitFor()

  await shop.query('alter table lost rename to categories')
  await until(60, 'the categories are back', answers(200))
  await untilHydrated(page)
  await grid.getByRole('button', { name: 'Try again' }).click()
  await grid.getByRole('link', { name: /^Oysters/ }).waitFor()
  await bar.getByRole('link', { name: 'Oysters' }).waitFor()
})
