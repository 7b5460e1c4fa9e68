import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { boxPath, unchanged, verdictInHead } from '../support/box-page.ts'
import { registerBox } from '../support/boxes.ts'
import { visit } from '../support/browser.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { until } from '../support/within.ts'

const BOX = 'LIVE-1'
const server = await startForFile(startServer({ env: { SAMPLE_DATA: 'off', ANCHOR_INTERVAL_S: '1' } }))
before(async () => {
  await registerBox(server, BOX)
  await sendReading(0, 1.5)
})

async function post(path: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await server.call(path, { method: 'POST', headers, body: JSON.stringify(body) })
  assert.ok(answer.ok, await answer.text())
}

const sendReading = (i: number, temperature: number) => {
  const time = new Date(Date.UTC(2026, 0, 1) + i * 600_000).toISOString()
  return post('/api/tracking', {
    readings: [{ box: BOX, iotID: 'L-1', time, latitude: -33.5 - i / 10, longitude: 151.5, temperature }],
  })
}

/**
 * Waits until the page has said this. What is said of a reading stands only until something newer is, such as that it is
 * anchored: so all of it is noted. Call it before what is to be said.
 */
async function listen(page: Page): Promise<(text: string) => Promise<void>> {
  await page.evaluate(() => {
    const said: string[] = []
    const note = () => {
      for (const { textContent } of document.querySelectorAll('[role=status]'))
        if (textContent && !said.includes(textContent)) said.push(textContent)
      document.body.dataset.said = said.join('\n')
    }
    new MutationObserver(note).observe(document.getElementsByTagName('main')[0] ?? document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    })
  })
  const said = async (): Promise<string> => (await page.locator('body').getAttribute('data-said')) ?? ''
  return (text) => until(60, `the page says '${text}'`, async () => (await said()).includes(text))
}

test('a reading appears on the open page and is proven there; nothing moves under the reader', async () => {
  await using at = await visit(server.url, { network: 'fast' })
  at.expectProblem(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK|Failed to load resource/)
  const { page } = at
  await page.goto(boxPath(BOX))
  await verdictInHead(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.getByText('Live: new readings appear here by themselves.').waitFor()
  const map = page.getByRole('region', { name: 'Map of the journey' })
  await map.scrollIntoViewIfNeeded()
  await page.locator('.reading-dot').first().waitFor()
  const top = () => map.evaluate((element) => Math.round(element.getBoundingClientRect().top))
  const before = await top()
  const saysThat = await listen(page)
  await sendReading(1, 3.25)
  await saysThat('New reading: 3.25 °C')
  await page.locator('.reading-dot').nth(1).waitFor()
  assert.equal(await top(), before)
  await page.locator('main header').getByRole('status').filter({ hasText: unchanged }).waitFor()
  const { records } = await (await server.call(`/api/box/${BOX}/proof`)).json()
  assert.equal(records.length, 5)
  for (const part of ['page', 'proof']) {
    assert.ok(asked.includes(`/api/box/${BOX}/${part}/news`), asked.join())
    assert.ok(!asked.includes(`/api/box/${BOX}/${part}`), `the whole ${part} was fetched for one reading`)
  }

  await page.context().setOffline(true)
  await page.getByText(/^You are offline: this is/).waitFor()
  await sendReading(2, 4.5)
  await page.context().setOffline(false)
  await saysThat('New reading: 4.50 °C')
  await page.getByText('Live: new readings appear here by themselves.').waitFor()
})

test('news that lie are not believed: the open page fetches the whole, and shows and proves that', async () => {
  await using at = await visit(server.url)
  const { page } = at
  await page.goto(boxPath(BOX))
  await verdictInHead(page)
  await page.getByText('Live: new readings appear here by themselves.').waitFor()
  const lied = new Set<string>()
  for (const part of ['page', 'proof'])
    await page.route(`**/api/box/${BOX}/${part}/news?**`, async (route) => {
      lied.add(part)
      const answer = await route.fetch()
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replaceAll('"temperature":5.5', '"temperature":1'),
      })
    })
  const saysThat = await listen(page)
  await sendReading(3, 5.5)
  await saysThat('New reading: 5.50 °C')
  await page.locator('main header').getByRole('status').filter({ hasText: unchanged }).waitFor()
  assert.deepEqual([...lied].sort(), ['page', 'proof'])
})

test('a reading that could not be fetched is fetched again by itself, and until then the page says that there is more', async () => {
  await using at = await visit(server.url)
  at.expectProblem(/503|Failed to load resource/)
  const { page } = at
  await page.goto(boxPath(BOX))
  await verdictInHead(page)
  const live = page.getByText('Live: new readings appear here by themselves.')
  await live.waitFor()
  let failed = 0
  await page.route(/\/page(\/news\?.*)?$/, (route) => {
    failed += 1
    return failed <= 2
      ? route.fulfill({ status: 503, json: { error: { message: 'not now' } } })
      : route.fallback()
  })
  const saysThat = await listen(page)
  await sendReading(4, 2.25)
  await page
    .getByText(/^There is more, which could not be fetched yet; trying again: this is as of/)
    .waitFor()
  await saysThat('New reading: 2.25 °C')
  await live.waitFor()
})

test('a reading that comes while the page is checked is said, too', async () => {
  await using at = await visit(server.url)
  const { page } = at
  await page.goto(boxPath(BOX))
  await verdictInHead(page)
  await page.getByText('Live: new readings appear here by themselves.').waitFor()
  const saysThat = await listen(page)
  let meanwhile: Promise<void> | undefined
  await page.route(`**/api/box/${BOX}/proof/news?**`, async (route) => {
    const said = await page.locator('body').getAttribute('data-said')
    if (said?.includes('2.50 °C')) meanwhile ??= sendReading(6, 2.75)
    await meanwhile
    await route.fallback()
  })
  await page.route(`**/api/box/${BOX}/page/news?**`, async (route) => {
    if (meanwhile !== undefined) await setTimeout(2_000) // whatever else fetches the page has it sooner
    await route.fallback()
  })
  await sendReading(5, 2.5)
  await saysThat('New reading: 2.50 °C')
  await saysThat('New reading: 2.75 °C')
  await page.locator('main header').getByRole('status').filter({ hasText: unchanged }).waitFor()
})

test('a page that stays open keeps one map and does not grow with its readings', async () => {
  const first = 7
  await using at = await visit(server.url, { viewport: { width: 1280, height: 900 } })
  const { page } = at
  await page.goto(boxPath(BOX))
  await verdictInHead(page)
  await page.getByText('Live: new readings appear here by themselves.').waitFor()
  await page.getByRole('region', { name: 'Map of the journey' }).scrollIntoViewIfNeeded()
  await page.locator('.reading-dot').first().waitFor()
  const devtools = await page.context().newCDPSession(page)
  /** What is left after collection, DOM nodes that nothing shows included. */
  const left = async () => {
    for (let i = 0; i < 3; i++) await devtools.send('HeapProfiler.collectGarbage')
    const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters')
    return { nodes, listeners: jsEventListeners }
  }
  const saysThat = await listen(page)
  const reading = async (i: number) => {
    const degrees = 1 + i / 100
    await sendReading(i, degrees)
    await saysThat(`New reading: ${degrees.toFixed(2)} °C`)
  }
  for (let i = first; i < first + 3; i++) await reading(i)
  await verdictInHead(page)
  const before = await left()
  for (let i = first + 3; i < first + 15; i++) await reading(i)
  await verdictInHead(page)
  const after = await left()
  // A reading adds a marker, a row of the table and a dot of the chart.
  assert.ok(after.nodes - before.nodes < 12 * 150, `${before.nodes} nodes, then ${after.nodes}`)
  assert.ok(
    after.listeners - before.listeners < 12 * 40,
    `${before.listeners} listeners, then ${after.listeners}`,
  )
  const containers = await devtools.send('Runtime.evaluate', { expression: 'HTMLDivElement.prototype' })
  const { objects } = await devtools.send('Runtime.queryObjects', {
    prototypeObjectId: containers.result.objectId ?? '',
  })
  const counted = await devtools.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration:
      'function () { return this.filter((e) => e.classList.contains("leaflet-container")).length }',
  })
  assert.equal(counted.result.value, 1, 'maps that are kept')
})
