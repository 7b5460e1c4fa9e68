import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sampleBox, unchanged, verdictOnOpening, waitUntilAnchored } from '../support/box-page.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { type Server, startServer } from '../support/server.ts'

/** As many as a Box may hold, one every five minutes. */
const READINGS = 10_000
const STEP_MS = 300_000
/** Without a change for so long, a page has drawn what it had to. */
const STILL_MS = 1_000
const boxID = 'LONG-1'
let server: Server

before(async () => {
  server = await startServer()
  const sample = await (await server.call(`/api/box/${sampleBox}`)).json()
  const [first, ...others] = sample.iotResult.iotTracking
  const end = Date.parse('2026-06-30T00:00:00Z')
  const iotTracking = Array.from({ length: READINGS }, (_, i) => ({
    ...(others[i % others.length] ?? first),
    time: new Date(end - (READINGS - i) * STEP_MS).toISOString(),
  }))
  const body = { ...sample, boxID, freshness: [], iotResult: { ...sample.iotResult, iotTracking } }
  const answer = await server.call('/api/box', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(answer.status, 201, await answer.text())
})
after(() => server[Symbol.asyncDispose]())

const nodes = (page: Page) => page.evaluate(() => document.querySelectorAll('main *').length)

/** Waits until nothing has changed for a while: what comes near, as the map, draws itself in its own time. */
const untilStill = (page: Page): Promise<void> =>
  page.evaluate(
    (ms) =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(done, ms)
        const observer = new MutationObserver(() => {
          clearTimeout(timer)
          timer = setTimeout(done, ms)
        })
        observer.observe(document.body, {
          subtree: true,
          childList: true,
          attributes: true,
          characterData: true,
        })
        function done(): void {
          observer.disconnect()
          resolve()
        }
      }),
    STILL_MS,
  )

/** Nodes that change while something is done: what the browser has to lay out and paint again. */
async function changesOf(page: Page, work: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => {
    const seen = { count: 0 }
    const count = (all: MutationRecord[]) => {
      seen.count += all.reduce((sum, { addedNodes }) => sum + 1 + addedNodes.length, 0)
    }
    const observer = new MutationObserver(count)
    observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
    Reflect.set(window, 'changes', () => {
      count(observer.takeRecords())
      observer.disconnect()
      return seen.count
    })
  })
  await work()
  return page.evaluate(() => Reflect.get(window, 'changes')())
}

test('a box with 10,000 readings has few nodes, and pointing at one or scrolling changes few', async () => {
  await using at = await visit(server.url, { network: 'fast' })
  const { page } = at
  // An anchor and the end of the check change the page, too: both come before what is counted.
  await waitUntilAnchored(page, boxID)
  assert.match(await verdictOnOpening(page, boxID), unchanged)
  await untilHydrated(page)
  const table = page.getByRole('region', { name: 'Readings' })
  await table.scrollIntoViewIfNeeded()
  assert.ok((await nodes(page)) < 3_500, `${await nodes(page)} nodes`)

  const chart = page.getByRole('slider', { name: 'Reading along the journey' })
  await chart.focus()
  await page.keyboard.press('End')
  await page.getByText(`reading ${READINGS} of ${READINGS}`).waitFor()
  await table.locator(`tr[aria-current]`).waitFor()
  await untilStill(page)
  const marked = await changesOf(page, async () => {
    await page.keyboard.press('ArrowLeft')
    await page.getByText(`reading ${READINGS - 1} of`).waitFor()
  })
  assert.ok(marked < 150, `${marked} changes`)
  await untilStill(page)

  const scrolled = await changesOf(page, async () => {
    await table.evaluate((element) => element.scrollTo({ top: element.scrollHeight / 2 }))
    await page.waitForFunction(() => document.querySelector('tr[aria-rowindex="5001"]') !== null)
  })
  assert.ok(scrolled < 400, `${scrolled} changes`)
  assert.ok((await table.getByRole('row').count()) < 80)
  const records = page.getByRole('region', { name: 'Records', exact: true })
  assert.match((await records.textContent()) ?? '', /10000 readings/)
})
