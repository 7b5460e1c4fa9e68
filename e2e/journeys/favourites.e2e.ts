import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessibleEverywhere } from '../support/accessible.ts'
import { assertLoggedIn, logIn, logOut, signInByApi } from '../support/account.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { desktop } from '../support/manager.ts'
import { productNamed } from '../support/products.ts'
import { admin, startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())

const heart = (page: Page, title: string) =>
  page.getByRole('main').getByRole('button', { name: `Favourite: ${title}`, exact: true })

const isPressed = (page: Page, title: string) => () => heart(page, title).first().getAttribute('aria-pressed')

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await untilHydrated(page)
}

/** The names on the page of favourites, whose hearts are pressed. */
const kept = (page: Page) => async (): Promise<string[]> => {
  const names = await page
    .getByRole('main')
    .locator('button[aria-pressed="true"]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? ''))
  return names.map((name) => name.replace('Favourite: ', '')).sort()
}

const setStatus = async (title: string, status: string): Promise<void> => {
  const { _id } = await productNamed(server, title)
  const answer = await server.call(`/api/product/${_id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  })
  assert.ok(answer.ok, await answer.text())
}

/** How much what is shown has moved by itself since the document was loaded. */
const shifts = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) =>
          resolve(list.getEntries().reduce((sum, entry) => sum + Number(Reflect.get(entry, 'value')), 0)),
        ).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(0), 500)
      }),
  )

test('a visitor’s favourites stay on the device, in all tabs, without moving the page, until they are taken out', async () => {
  await using at = await visit(server.url, desktop)
  at.expectProblem(/woff2|ERR_FAILED|Failed to load/)
  const { page, context } = at
  // When a font arrives varies, and its letters are not exactly as wide as those of its fallback.
  await context.route('**/*.woff2', (route) => route.abort())
  await open(page, '/product?q=Pipis')
  assert.equal(await isPressed(page, 'Pipis')(), 'false')
  await heart(page, 'Pipis').press('Enter')
  await eventually(isPressed(page, 'Pipis'), 'true')
  await open(page, `/product/${(await productNamed(server, 'Vongole'))._id}`)
  const button = page.getByRole('button', { name: /^Favourite/ })
  await button.click()
  await eventually(() => button.getAttribute('aria-pressed'), 'true')
  const box = await button.boundingBox()
  assert.ok(box !== null && box.height >= 44)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(() => Reflect.deleteProperty(Navigator.prototype, 'share'))
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByText('Link copied.').waitFor()
  await eventually(() => page.evaluate(() => navigator.clipboard.readText()), page.url())

  await open(page, `/product/${(await productNamed(server, 'Snapper, whole'))._id}`)
  await page
    .getByRole('region', { name: 'Also snapper' })
    .getByRole('heading', { name: /Snapper/ })
    .first()
    .waitFor()
  await open(page, '/product?q=Pipis')
  await eventually(isPressed(page, 'Pipis'), 'true')
  assert.equal(await shifts(page), 0)
  await page.getByRole('link', { name: 'Favourites', exact: true }).click()
  await eventually(kept(page), ['Pipis', 'Vongole'])
  await page.getByRole('main').getByText('$', { exact: false }).first().waitFor()
  await assertAccessibleEverywhere(page)

  const other = await context.newPage()
  await open(other, '/favourites')
  await eventually(kept(other), ['Pipis', 'Vongole'])
  await heart(other, 'Pipis').click()
  await eventually(kept(page), ['Vongole'])
  await heart(page, 'Vongole').click()
  await eventually(kept(other), [])
  await open(other, '/favourites')
  await other.getByText('Nothing here yet').waitFor()
  await assertAccessibleEverywhere(other)
})

test('what is no longer sold is named and can be removed; what can’t be read is said, with its name and another try', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  at.expectProblem(/byIds|ERR_FAILED/)
  await open(page, '/product?q=Blue+mussels')
  await heart(page, 'Blue mussels').click()
  await eventually(isPressed(page, 'Blue mussels'), 'true')
  await page.route('**/api/product/byIds*', (route) => route.abort())
  await open(page, '/favourites')
  await page.getByRole('alert').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Blue mussels' }).waitFor()
  await page.unroute('**/api/product/byIds*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await eventually(kept(page), ['Blue mussels'])

  await setStatus('Blue mussels', 'INACTIVE')
  try {
    await open(page, '/favourites')
    await page.getByText('Blue mussels is no longer sold').waitFor()
    await assertAccessibleEverywhere(page)
    await page.getByRole('button', { name: 'Remove Blue mussels' }).click()
    await page.getByText('Blue mussels was removed.').waitFor()
    await eventually(() => page.getByText('no longer sold').count(), 0)
  } finally {
    await setStatus('Blue mussels', 'ACTIVE')
  }
  await open(page, '/favourites')
  await page.getByText('Nothing here yet').waitFor()
})

test('at signing in a device’s favourites join the account’s; what another device takes out stays out', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  await open(page, '/product?q=Pipis')
  await heart(page, 'Pipis').click()
  await eventually(isPressed(page, 'Pipis'), 'true')

  await using there = await visit(server.url, {
    ...desktop,
    prepare: (context) => signInByApi(context, server.url, admin),
  })
  const away = there.page
  await open(away, '/product?q=Vongole')
  await heart(away, 'Vongole').click()
  await eventually(isPressed(away, 'Vongole'), 'true')

  await logIn(page, admin)
  await assertLoggedIn(page, 'Admin')
  await page.getByRole('link', { name: 'Favourites', exact: true }).click()
  await eventually(kept(page), ['Pipis', 'Vongole'])
  await open(away, '/favourites')
  await eventually(kept(away), ['Pipis', 'Vongole'])
  await heart(away, 'Pipis').click()
  await eventually(
    async () => (await (await away.request.get('/api/user/favourites')).json()).favourites.length,
    1,
  )
  await open(page, '/favourites')
  await eventually(kept(page), ['Vongole'])
  const other = await at.context.newPage()
  const read = other.waitForResponse('**/api/user/favourites')
  await open(other, '/product?q=Vongole')
  await read
  await eventually(isPressed(other, 'Vongole'), 'true')

  const answered = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  await other.route('**/api/user/favourites', async (route) => {
    const response = await route.fetch()
    answered.resolve()
    await left.promise
    await route.fulfill({ response })
  })
  await other.evaluate(() => window.dispatchEvent(new Event('online')))
  await answered.promise
  await logOut(page, 'Admin')
  await eventually(isPressed(other, 'Vongole'), 'false')
  const late = other.waitForResponse('**/api/user/favourites')
  left.resolve()
  await (await late).finished()
  await other.evaluate(() => new Promise((settled) => setTimeout(settled)))
  assert.equal(
    await other.evaluate(() => localStorage.getItem('befaqt.favourites')),
    null,
    'an answer that is late is of nobody',
  )
  await open(page, '/favourites')
  await page.getByText('Nothing here yet').waitFor()
})
