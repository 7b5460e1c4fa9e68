import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { pauseRequests, untilHydrated, visit } from '../support/browser.ts'
import { desktop } from '../support/manager.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually, until } from '../support/within.ts'

const server = await startForFile(startServer())

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const inMenu = (page: Page, name: string) => page.locator('header').getByRole('link', { name, exact: true })

for (const [from, link, to] of [
  ['/', 'footer a[href="/about/tech"]', '/api/content/about/tech'],
  ['/product', 'main article h3 a[href^="/product/"]', '/api/product/'],
  ['/', 'main a[href^="/SFMBox/byId/"]', '/api/box/'],
] as const)
  test(`a click from ${from} to ${to} fetches screen and data side by side, in one round`, async () => {
    await using at = await visit(server.url, { ...desktop, network: 'fast' })
    const { page } = at
    let last = Date.now()
    page.on('request', () => {
      last = Date.now()
    })
    const checked = page.waitForRequest(/\/summary$/)
    await page.goto(from)
    await untilHydrated(page)
    // By itself it checks what its cards show, when it has time; then it asks for nothing.
    await checked
    await until(60, 'nothing is asked for', async () => Date.now() - last > 2_000)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const resume = await pauseRequests(page, /\/assets\/[^/]+\.js$|\/api\//)
    const target = await page.locator(link).first().getAttribute('href')
    await page.locator(link).first().dispatchEvent('click')
    await until(30, 'the data is asked for', async () => asked.some((path) => path.startsWith(to)))
    await until(30, 'the screen is asked for', async () => asked.some((path) => path.endsWith('.js')))
    await page.evaluate((path) => {
      const heading = () => document.querySelector('main h1')?.textContent ?? ''
      const before = heading() // the address changes some frames before the page does
      const look = () => {
        if (location.pathname !== path || heading() === '' || heading() === before)
          return requestAnimationFrame(look)
        return performance.mark('shown')
      }
      look()
    }, target)
    const first = new Set(asked) // nothing was answered yet
    const files = [...first].filter((path) => /\.js$|^\/api\/(?!file\/)/.test(path))
    assert.ok(files.length <= 6, `more than a browser has connections for without HTTP/2: ${files.join(' ')}`)
    resume()
    await page.waitForFunction(() => performance.getEntriesByName('shown').length > 0)
    // Pictures are asked for by what is drawn, so at the very moment at which it is there.
    const later = asked.filter((path) => !first.has(path) && /\.js$|^\/api\/(?!file\/)/.test(path))
    assert.deepEqual(later, [], 'was asked for only when the first round was answered')
  })

type Watched = typeof window & { seen: { first: number }; parts: () => number }

/** How many parts the page of an address had when its heading came, and when it had settled. */
async function partsOf(
  page: Page,
  go: () => Promise<unknown>,
  path: string,
): Promise<[first: number, all: number]> {
  await page.evaluate((path) => {
    const parts = () => document.querySelectorAll('main section').length
    const before = document.querySelector('main h1')?.textContent
    const seen = { first: -1 }
    Object.assign(window, { seen, parts })
    new MutationObserver(() => {
      const heading = document.querySelector('main h1')?.textContent ?? before
      if (seen.first < 0 && location.pathname === path && heading !== before) seen.first = parts()
    }).observe(document.body, { childList: true, subtree: true })
  }, path)
  await go()
  await page.waitForURL(`**${path}*`)
  await page.getByRole('contentinfo').waitFor()
  await page.waitForFunction(() => {
    const { seen } = window as Watched
    return seen.first >= 0
  })
  await page.waitForTimeout(1_000)
  return page.evaluate(() => {
    const { seen, parts } = window as Watched
    return [seen.first, parts()] as [number, number]
  })
}

test('what is below the head of a box comes right after it on a click, and with it on the way back, at its place', async () => {
  await using at = await visit(`${server.url}/`, desktop)
  const { page } = at
  await untilHydrated(page)
  const link = page.locator('main a[href^="/SFMBox/byId/"]').first()
  const box = (await link.getAttribute('href')) ?? ''
  const [head, whole] = await partsOf(page, () => link.dispatchEvent('click'), box)
  assert.ok(head < whole, `${head} of ${whole} parts came with the heading`)
  await page.getByRole('heading', { name: 'Records', exact: true }).scrollIntoViewIfNeeded()
  const away = await page.evaluate(() => window.scrollY)
  assert.ok(away > 500)
  const [homeHead, home] = await partsOf(
    page,
    () => page.locator('header').getByRole('link', { name: 'BeFAQT' }).first().click(),
    '/',
  )
  assert.ok(homeHead < home)
  const [back, again] = await partsOf(page, () => page.goBack(), box)
  assert.equal(back, again, 'whole at once')
  // Parts that were not near yet have a height that is a guess.
  const isThere = (away: number) => Math.abs(window.scrollY - away) < window.innerHeight / 2
  await eventually(() => page.evaluate(isThere, away), true)
})

test('resting on a link, or pressing it, fetches the screen of its page', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  await untilHydrated(page)
  const asked = page.waitForRequest(/about\._page-[^/]+\.js/)
  await page.locator('footer a[href="/about/us"]').hover()
  await asked
})

test('the page stays until the next is there, with what was done on it, and the menu closes at once', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  await untilHydrated(page)
  await page.goto('/category/Oysters')
  await page
    .getByRole('button', { name: /^Add .* to cart$/ })
    .first()
    .click()
  await page
    .locator('header')
    .getByRole('link', { name: /^Cart, 1/ })
    .click()
  await heading(page, 'Your cart').waitFor()
  await page
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click()
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.waitFor()
  const resume = await pauseRequests(page, /\/api\/content\//)
  await page.locator('header summary').filter({ hasText: 'About' }).click()
  await inMenu(page, 'Technologies').click()
  await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor()
  await eventually(() => inMenu(page, 'Technologies').isVisible(), false, 'the menu stayed open')
  await new Promise((done) => setTimeout(done, 1_000)) // what used to take the page away came after 0.4 s
  await eventually(() => heading(page, 'Your cart').count(), 1)
  await eventually(() => undo.count(), 1)
  resume()
  await page.waitForURL('**/about/tech')
})

test('a form keeps the focus on its button while it sends, and is sent once', async () => {
  await using at = await visit(`${server.url}/user/signin`, desktop)
  at.expectProblem(/401|Failed to load resource/)
  const { page } = at
  await untilHydrated(page)
  await page.getByLabel('Email').fill('nobody@shop.example')
  await page.getByLabel('Password', { exact: true }).fill('wrong-password')
  let sent = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/user/signIn')) sent += 1
  })
  const resume = await pauseRequests(page, '**/api/user/signIn')
  const button = page.locator('main button[type=submit]').first()
  await button.focus()
  await page.keyboard.press('Enter')
  await page.locator('main button[type=submit][aria-disabled=true]').waitFor()
  await page.keyboard.press('Enter')
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('type')), 'submit')
  resume()
  await page.getByRole('alert').first().waitFor()
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('type')), 'submit')
  assert.equal(sent, 1)
})

/** The first file of a page's script is there: on a slow line that is a round trip after the page can be seen. */
const notesTaps = (page: Page) => page.waitForFunction(() => 'earlyTaps' in globalThis)

test('Add pressed before the script runs adds once it does', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  await page.evaluate(() => window.localStorage.clear())
  const resume = await pauseRequests(page, /\/assets\/(?!entry-start)[^/]+\.js$/)
  await page.goto('/category/Oysters', { waitUntil: 'commit' })
  const add = page.getByRole('button', { name: /^Add .* to cart$/ }).first()
  await notesTaps(page)
  await add.click()
  await add.click()
  resume()
  await page.locator('header').getByRole('link', { name: 'Cart, 1 in it' }).waitFor()

  const again = await pauseRequests(page, /\/assets\/(?!entry-start)[^/]+\.js$/)
  await page.reload({ waitUntil: 'commit' })
  const product = await page.locator('main article h3 a').first().getAttribute('href')
  again()
  const last = await pauseRequests(page, /\/assets\/(?!entry-start)[^/]+\.js$/)
  await page.goto(product ?? '', { waitUntil: 'commit' })
  await notesTaps(page)
  await page.getByRole('button', { name: 'Add to Cart' }).click()
  last()
  await page.locator('header').getByRole('link', { name: 'Cart, 2 in it' }).waitFor()
})

test('what is typed in the sign-up is there after Back and a reload, the password is not', async () => {
  await using at = await visit(`${server.url}/user/signup`, desktop)
  const { page } = at
  await untilHydrated(page)
  await page.getByLabel('First name').fill('Ann')
  await page.getByLabel('Email').fill('ann@shop.example')
  await page.getByLabel('Password', { exact: true }).fill('herring-and-ice')
  await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
  // The sign-up stays, with all that is typed, until the other page is there.
  await page.getByLabel('First name').waitFor({ state: 'detached' })
  await page.goBack()
  const typed = async () => [
    await page.getByLabel('First name').inputValue(),
    await page.getByLabel('Email').inputValue(),
    await page.getByLabel('Password', { exact: true }).inputValue(),
  ]
  await page.getByLabel('First name').waitFor()
  assert.deepEqual(await typed(), ['Ann', 'ann@shop.example', ''])
  await page.reload()
  await untilHydrated(page)
  assert.deepEqual(await typed(), ['Ann', 'ann@shop.example', ''])
})

test('a page whose script went with an update is loaded as a document, once', async () => {
  await using at = await visit(server.url, desktop)
  at.expectProblem(/404|Failed to (load|fetch)|ShopError|dynamically imported/)
  const { page } = at
  await untilHydrated(page)
  await page.evaluate(() => Object.assign(window, { before: true }))
  const gone = /\/assets\/(about\._page|entry-client)-[^/]+\.js/
  await page.route(gone, (route) => route.fulfill({ status: 404, body: 'gone' }))
  const documents: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(new URL(request.url()).pathname)
  })
  await page.locator('footer a[href="/about/us"]').click()
  await heading(page, /./).waitFor()
  await page.waitForURL('**/about/us')
  await page.waitForFunction(() => !('before' in window))
  assert.deepEqual(documents, ['/about/us'])
})
