import assert from 'node:assert/strict'
import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { boxPath, sampleBox } from '../support/box-page.ts'
import { fisher } from '../support/boxes.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { desktop } from '../support/manager.ts'
import { productNamed } from '../support/products.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'

const pictures = join(import.meta.dirname, '../../server/sample/images/product')
const server = await startForFile(startServer())

const send = (path: string, method: string, body: unknown): Promise<Response> =>
  server.call(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

for (const [what, files] of [
  ['its script', '**/assets/entry-client*.js'],
  ['a part of its script', '**/assets/product.*.js'],
] as const)
  test(`a page that cannot fetch ${what} says so, and works when tried again`, async () => {
    await using at = await visit(server.url)
    at.expectProblem(/ERR_FAILED|Failed to (load|fetch)|ShopError/)
    const { page } = at
    const { _id } = await productNamed(server, 'Pacific oysters')
    await page.route(files, (route) => route.abort())
    await page.goto(`/product/${_id}`)
    const notice = page.getByRole('alert').filter({ hasText: 'Part of this page did not load' })
    await notice.waitFor()
    await saveScreenshot(page, `script-failed-${files.length}`)
    await page.unroute(files)
    await notice.getByRole('button', { name: 'Try again' }).click()
    await notice.waitFor({ state: 'detached' }) // the page of before would take the press with it
    await page.getByRole('button', { name: 'Add to Cart' }).click()
    await page.getByText(/^Added\. 1 .* in your cart\.$/).waitFor()
    assert.equal(await notice.count(), 0)
  })

test('a page whose script fails to load on navigation loads when tried again', async () => {
  await using at = await visit(`${server.url}/about/us`, desktop)
  at.expectProblem(/ERR_FAILED|Failed to (load|fetch)|ShopError/)
  const { page } = at
  await untilHydrated(page)
  await page.route('**/assets/cart*', (route) => route.abort())
  await page.getByRole('link', { name: /^Cart/ }).click()
  await page.getByRole('heading', { level: 1, name: 'Unexpected Application Error!' }).waitFor()
  await page.unroute('**/assets/cart*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Cart is empty').waitFor()
})

test('without the coastline a box page opens, and only the map says that it failed', async () => {
  await using at = await visit(`${server.url}/about/us`, desktop)
  at.expectProblem(/ERR_FAILED|Failed to (load|fetch)/)
  const { page } = at
  await page.route('**/coastline-*.json', (route) => route.abort())
  await page.goto('/')
  await untilHydrated(page)
  await page
    .locator(`a[href="${boxPath(sampleBox)}"]`)
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: new RegExp(sampleBox) }).waitFor()
  await page.getByRole('region', { name: 'Map of the journey' }).scrollIntoViewIfNeeded()
  await page.getByText('Map cannot be loaded right now, sorry.').waitFor()
  await page.getByRole('heading', { name: 'Freshness assessment' }).waitFor()
})

test('times are shown in market time, wherever the visitor is and whatever the record’s format', async () => {
  const boxID = 'PARTS-1'
  const caught = {
    ...{ time: '2025-11-18T18:20:00Z', boat: '', latitude: -33.9, longitude: 151.3, method: 'line' },
    ...{ species: 'Snapper', size: '', note: '', img: '', locationCodeLat: 0, locationCodeLong: 151 },
  }
  assert.equal((await send('/api/box/registration', 'POST', { boxID, fisher })).status, 201)
  const recorded = await send(`/api/box/${boxID}/catch`, 'POST', caught)
  assert.equal(recorded.status, 201, await recorded.text())
  const { _id } = await productNamed(server, 'Tailor')
  const links = [{ boxID, quantity: 1 }]
  const linked = await send(`/api/product/${_id}/boxes`, 'PUT', links)
  assert.equal(linked.status, 200, await linked.text())
  await using at = await visit(`${server.url}/product/${_id}`, { ...desktop, timezoneId: 'America/New_York' })
  const { page } = at
  await page
    .getByText(/19 Nov.*5:20/)
    .first()
    .waitFor()
  await page.getByText('Sydney time', { exact: true }).waitFor()
  await page.goto(boxPath(boxID))
  const head = page.getByRole('banner').or(page.locator('header')).filter({ hasText: boxID })
  await head
    .getByText(/19 Nov.*5:20/)
    .first()
    .waitFor()
  await head.getByText('Sydney time').waitFor()
  await page.getByText('All times are Sydney time.').waitFor()
})

test('a time skipped by a change of clocks is rejected at its field', async () => {
  const reading = { box: sampleBox, iotID: 'x', latitude: -34, longitude: 151, temperature: 2 }
  const answer = await send('/api/tracking', 'POST', {
    readings: [{ ...reading, time: '2025-10-05 02:30:00' }],
  })
  assert.equal(answer.status, 200)
  const { refused } = await answer.json()
  assert.match(JSON.stringify(refused), /"path":"time".*must be a time that exists.*Australia\/Sydney/)
})

test('two quick clicks move on by two images, also while the first still scrolls', async () => {
  const albacore = await productNamed(server, 'Albacore')
  const form = new FormData()
  for (const name of ['arrow-squid', 'atlantic-salmon', 'australian-sardine'])
    form.append('productImages', await openAsBlob(`${pictures}/${name}.webp`, { type: 'image/webp' }), name)
  const changed = await server.call(`/api/product/${albacore._id}`, { method: 'PATCH', body: form })
  assert.equal(changed.status, 200, await changed.text())
  await using at = await visit(`${server.url}/product/${albacore._id}`, {
    ...desktop,
    reducedMotion: 'no-preference',
  })
  const { page } = at
  await untilHydrated(page)
  const next = page.getByRole('button', { name: 'Next picture' })
  await next.evaluate((button: HTMLButtonElement) => {
    button.click()
    button.click()
  })
  await page.locator('a[href="#picture-3"][aria-current]').waitFor()
  await page.getByRole('button', { name: 'Previous picture' }).click()
  await page.locator('a[href="#picture-2"][aria-current]').waitFor()
})
