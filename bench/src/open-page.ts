/**
 * A box's page that stays open while readings come: `node bench/src/open-page.ts [readings] [seconds between]`, after
 * `npm run build`. What its heap holds after 20 readings and after all, collected, and the maps that are kept. Budget: at
 * most 1.3 times as much, and one map. Readings come singly, 500 of them by default, every two seconds.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type CDPSession, chromium, type Page } from 'playwright-core'
import { budgetHead, checkBudget } from './budget.ts'
import { newBox, readingsOf, sendBatch } from './field.ts'
import { startShop } from './shop.ts'
import { sized } from './sized.ts'

const WARM = sized(20, 2)
const GROWTH = 1.3
const WAIT_MS = 120_000
const readings = Number(process.argv[2] ?? sized(500, 4))
const everyMs = 1_000 * Number(process.argv[3] ?? sized(2, 0.5))

/** MiB that the page's heap holds once nothing more can be collected, and its DOM nodes, of which some may not be shown. */
async function held(devtools: CDPSession): Promise<{ mib: number; nodes: number }> {
  for (let i = 0; i < 3; i++) await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  const { nodes } = await devtools.send('Memory.getDOMCounters')
  return { mib: usedSize / 2 ** 20, nodes }
}

/** Maps that the page holds, shown or not. */
async function mapsHeld(devtools: CDPSession): Promise<number> {
  const { result } = await devtools.send('Runtime.evaluate', { expression: 'HTMLDivElement.prototype' })
  const prototypeObjectId = result.objectId ?? ''
  const { objects } = await devtools.send('Runtime.queryObjects', { prototypeObjectId })
  const counted = await devtools.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration:
      'function () { return this.filter((e) => e.classList.contains("leaflet-container")).length }',
    returnByValue: true,
  })
  return counted.result.value
}

/** Until the page shows so many readings, on whose chart the last can be chosen. */
const untilShown = (page: Page, count: number): Promise<void> =>
  page.locator(`[role=slider][aria-valuemax="${count}"]`).first().waitFor()

await using shop = await startShop({ SAMPLE_DATA: 'off', ANCHOR_INTERVAL_S: '10' })
const box = await newBox(shop)
const send = async (from: number, n: number): Promise<void> => {
  for (let i = from; i < from + n; i++) {
    await sendBatch(shop, readingsOf(box, i, 1))
    await sleep(everyMs)
  }
}
await send(0, 1)
await using browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
page.setDefaultTimeout(WAIT_MS)
await page.goto(`${shop.url}/SFMBox/byId/${box}`)
await page.getByText('Live: new readings appear here by themselves.').waitFor()
await page.getByRole('region', { name: 'Map of the journey' }).scrollIntoViewIfNeeded()
await page.locator('.reading-dot').first().waitFor()
const devtools = await page.context().newCDPSession(page)
await send(1, WARM - 1)
await untilShown(page, WARM)
const warm = await held(devtools)
await send(WARM, readings - WARM)
await untilShown(page, readings)
const full = await held(devtools)
budgetHead('the open page of a box', 'DOM nodes', 'maps kept')
checkBudget([`after ${WARM} readings`, warm.nodes, 1], warm.mib, { mostMiB: warm.mib })
checkBudget([`after ${readings} readings`, full.nodes, await mapsHeld(devtools)], full.mib, {
  mostMiB: Math.round(warm.mib * GROWTH * 10) / 10,
})
