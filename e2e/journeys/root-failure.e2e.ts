import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { untilHydrated, visit } from '../support/browser.ts'
import { desktop } from '../support/manager.ts'
import { admin, startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'

const server = await startForFile(startServer())

const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const categories = (page: Page) => page.getByRole('navigation', { name: 'Categories' })
const UNAVAILABLE = { status: 503, json: { error: { code: 'unavailable', message: 'Not just now.' } } }

/** The frame of every page: the navigation bar with its search, and the categories. */
async function hasItsBar(page: Page): Promise<void> {
  await bar(page).getByRole('combobox', { name: 'Search the market' }).waitFor()
  await categories(page).getByRole('link', { name: 'Oysters' }).waitFor()
}

test('when data of every page cannot be reloaded, the current page stays', async () => {
  await using at = await visit(`${server.url}/category/Oysters`, desktop)
  at.expectProblem(/status of 503/)
  const { page } = at
  await untilHydrated(page)
  await page.evaluate(() => Object.assign(window, { marked: true }))
  await page.route(/\/api\/(site|viewer|category\/active)$/, (route) => route.fulfill(UNAVAILABLE))
  await page.route('**/api/category/byTitle/Oysters', async (route) => {
    const category = await (await route.fetch()).json()
    await route.fulfill({ json: { ...category, description: 'Read anew.' } })
  })
  await categories(page).getByRole('link', { name: 'Oysters' }).click()
  await page.getByText('Read anew.').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Pacific oysters' }).first().waitFor()
  await hasItsBar(page)
  await page.waitForFunction(() => 'marked' in window)
})

test('without a network the page says so below its navigation bar, and loads when tried again', async () => {
  await using at = await visit(`${server.url}/category/Oysters`, { ...desktop, network: 'fast' })
  at.expectProblem(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|ShopError/)
  const { page, context } = at
  await untilHydrated(page)
  await context.setOffline(true)
  await categories(page).getByRole('link', { name: 'Oysters' }).click()
  await page.getByRole('heading', { level: 1, name: 'Unexpected Application Error!' }).waitFor()
  await page.getByRole('alert').getByText('No connection to the shop.').waitFor()
  await hasItsBar(page)
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Oysters' }).waitFor()
})

test('a login leads to its page although data of every page cannot be reloaded', async () => {
  await using at = await visit(`${server.url}/user/signin?next=/cart`, desktop)
  at.expectProblem(/status of 503/)
  const { page } = at
  await untilHydrated(page)
  await page.route(/\/api\/(site|viewer)$/, (route) => route.fulfill(UNAVAILABLE))
  await page.getByLabel('Email').fill(admin.email)
  await page.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/cart')
  await page.getByRole('heading', { level: 1, name: 'Your cart' }).waitFor()
  await hasItsBar(page)
})
