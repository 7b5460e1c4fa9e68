import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/accessible.ts'
import { signInByApi } from '../support/account.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { desktop } from '../support/manager.ts'
import { admin, startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

const field = (page: Page) => page.getByRole('combobox', { name: 'Search the market' })
const options = (page: Page) => page.getByRole('option')
const chosen = (page: Page) => page.getByRole('option', { selected: true }).allInnerTexts()
const firstCard = (page: Page) =>
  page.getByRole('main').getByRole('article').getByRole('heading').first().innerText()

test('on a phone the search is on the page: a mistyped name is understood, suggested with price, and leads to the fish', async () => {
  await using at = await visit(server.url)
  const { page } = at
  await untilHydrated(page)
  await field(page).fill('snaper')
  const snapper = options(page).filter({ hasText: 'Snapper, whole' })
  await snapper.getByText(/\$\d+\.\d\d\/kg/).waitFor()
  await eventually(() => options(page).first().innerText(), 'snapper', 'what it may have been meant to be')
  await assertAccessible(page)
  await snapper.click()
  await page.getByRole('heading', { level: 1, name: 'Snapper, whole' }).waitFor()
  await eventually(() => options(page).count(), 0, 'the list is closed on the next page')
})

test('a result says what was searched for and how it was read', async () => {
  await using at = await visit(`${server.url}/product?q=sydny+rock+oyster`)
  const { page } = at
  await page.getByRole('heading', { level: 1, name: 'Results for “sydny rock oyster”' }).waitFor()
  await page.getByText('These are for “sydney rock oyster”.').waitFor()
  await eventually(() => firstCard(page), 'Sydney rock oysters')
  assert.match(await page.title(), /^Results for “sydny rock oyster”/)
  await page.goto(`${server.url}/product?q=shrimp`)
  await page.getByText('What you call “shrimp” is sold here as prawn.').waitFor()
  await page.goto(`${server.url}/product?q=cheap+fish`)
  await page.getByText('Price, lowest first.').waitFor()
  await page.goto(`${server.url}/product?q=barramundi`)
  await page.getByRole('heading', { name: 'Nothing like that on the slab' }).waitFor()
})

test('by keyboard: arrows choose and come back to what was typed, Enter follows, Escape closes', async () => {
  await using at = await visit(server.url, { viewport: { width: 1280, height: 900 } })
  const { page } = at
  await untilHydrated(page)
  await field(page).focus()
  await page.keyboard.type('oyst')
  await options(page).filter({ hasText: 'Pacific oysters' }).waitFor()
  const count = await options(page).count()
  await page.keyboard.press('ArrowDown')
  await eventually(() => chosen(page), [await options(page).first().innerText()])
  await page.keyboard.press('ArrowUp')
  await eventually(() => chosen(page), [], 'back in the field')
  await page.keyboard.press('ArrowUp')
  await eventually(
    () => chosen(page),
    [
      await options(page)
        .nth(count - 1)
        .innerText(),
    ],
  )
  await page.keyboard.press('Escape')
  await eventually(() => field(page).getAttribute('aria-expanded'), 'false')
  assert.equal(await field(page).inputValue(), 'oyst', 'closing the list leaves what was typed')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname.startsWith('/product'))
})

test('what was searched for is offered again, and forgotten when asked', async () => {
  await using at = await visit(server.url)
  const { page } = at
  await untilHydrated(page)
  for (const words of ['octopus', 'prawns']) {
    await field(page).fill(words)
    await options(page).first().waitFor()
    await field(page).press('Enter')
    await page.getByRole('heading', { level: 1, name: `Results for “${words}”` }).waitFor()
  }
  await page.goto(server.url)
  await untilHydrated(page)
  await field(page).focus()
  await eventually(() => options(page).allInnerTexts(), ['prawns', 'octopus'])
  await page.getByRole('button', { name: 'Clear recent searches' }).click()
  await eventually(() => options(page).count(), 0)
  await page.reload()
  await untilHydrated(page)
  await field(page).focus()
  await page.keyboard.press('ArrowDown')
  await eventually(() => field(page).getAttribute('aria-expanded'), 'false')
})

test('what was searched for goes with who searched: after Logout it is offered to nobody', async () => {
  await using at = await visit(server.url, {
    ...desktop,
    prepare: (own) => signInByApi(own, server.url, admin),
  })
  const { page } = at
  await untilHydrated(page)
  await field(page).fill('octopus')
  await field(page).press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Results for “octopus”' }).waitFor()
  const main = page.getByRole('navigation', { name: 'Main' })
  await main.getByText('Admin', { exact: true }).first().click()
  await main.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL(`${server.url}/`)
  await main.getByRole('link', { name: 'Log in' }).waitFor()
  assert.equal(await page.evaluate(() => localStorage.getItem('befaqt-searches')), null)
})

test('when nothing can be asked the search still works, and before any script, too', async () => {
  await using at = await visit(server.url)
  const { page } = at
  await untilHydrated(page)
  at.expectProblem(/suggestions/)
  await page.route('**/api/product/suggestions*', (route) => route.abort())
  await field(page).fill('cuttlefish')
  await field(page).press('Enter')
  await eventually(() => firstCard(page), 'Cuttlefish')
  await using plain = await visit(server.url, { javaScriptEnabled: false })
  await field(plain.page).fill('mussles')
  await field(plain.page).press('Enter')
  await eventually(() => firstCard(plain.page), 'Blue mussels')
})
