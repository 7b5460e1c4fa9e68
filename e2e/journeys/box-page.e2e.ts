import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { freePort } from '../../tools/test/free-port.ts'
import { assertAccessible, assertAccessibleEverywhere } from '../support/accessible.ts'
import {
  boxPath,
  openCheckSection,
  sampleBox,
  unchanged,
  verdictInHead,
  verdictOnOpening,
  waitUntilAnchored,
} from '../support/box-page.ts'
import { visit } from '../support/browser.ts'
import { saveScreenshot } from '../support/screens.ts'
import { type Server, startServer } from '../support/server.ts'
import { eventually } from '../support/within.ts'

const desktop = { viewport: { width: 1280, height: 900 } }
let server: Server

before(async () => {
  server = await startServer()
  await using seen = await visit(server.url)
  await waitUntilAnchored(seen.page, sampleBox)
})
after(() => server[Symbol.asyncDispose]())

test('a box page shows its history from catch to assessment, and the browser verifies it', async () => {
  await using at = await visit(server.url)
  const { page } = at
  assert.match(await verdictOnOpening(page, sampleBox), unchanged)
  await page.getByRole('heading', { level: 1, name: `Fish box ${sampleBox}` }).waitFor()
  const headings = await page.getByRole('heading', { level: 2 }).allTextContents()
  const specified = ['Fisher', 'Freshness assessment', 'Catch provenance', 'Tracking map', 'Tracking device']
  const order = [...specified, 'E-eye Records', 'E-nose Records', 'Time left', 'Cold chain']
  const places = [...order, 'Records', 'Check it yourself'].map((title) =>
    headings.findIndex((heading) => heading.startsWith(title)),
  )
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
    headings.join(' | '),
  )
  assert.ok(!places.includes(-1), headings.join(' | '))
  const steps = (await openCheckSection(page))
    .getByRole('list', { name: 'Steps of the check' })
    .getByRole('listitem')
  assert.deepEqual(
    (await steps.allInnerTexts()).map((text) => /: done\./.test(text)),
    Array(6).fill(true),
  )
  await saveScreenshot(page, 'box-390')
})

test('the box page is accessible and fits at every width, in light and dark', async () => {
  await using at = await visit(server.url, desktop)
  await verdictOnOpening(at.page, sampleBox)
  await mapIsDrawn(at.page)
  await assertAccessibleEverywhere(at.page)
  await saveScreenshot(at.page, 'box-1280')
})

test('selecting a reading highlights it on the map, in the charts and in the table', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  await verdictOnOpening(page, sampleBox)
  await mapIsDrawn(page)
  const marked = page.locator('tr[aria-current="true"]')
  const dots = page.locator('.reading-dot')
  const assertMarkedDot = async (at: number): Promise<void> => {
    await dots.nth(at).and(page.locator('[data-marked]')).waitFor()
    await eventually(() => page.locator('.reading-dot[data-marked]').count(), 1)
  }

  await page.getByRole('slider', { name: 'Reading along the journey' }).focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  await page.getByText('reading 2 of').waitFor()
  assert.match(
    await marked.innerText(),
    /^\d{4}-\d\d-\d\d \| \d\d:\d\d\s+−\d+\.\d{5} \/ \d+\.\d{5}\s+−?\d+\.\d\d °C/,
  )
  await assertMarkedDot(1)

  const rows = page.getByRole('region', { name: 'Readings' }).getByRole('row')
  await rows.nth(4).hover() // the headings come before the first
  await page.getByText('reading 4 of').waitFor()
  await assertMarkedDot(3)
  const temperature = (await rows.nth(4).innerText()).match(/−?[\d.]+ °C/)?.[0] ?? ''
  await page
    .getByRole('slider', { name: 'Temperature chart, reading' })
    .getByText(`${temperature} ·`)
    .waitFor()

  await page.mouse.move(0, 0) // else what the focus scrolls under the pointer is pointed at
  await page.getByRole('button', { name: /^Provenance: / }).focus()
  await page.getByText('reading 1 of').waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByText('reading 2 of').waitFor()
})

test('a visitor checks against a node of their own choice, and an unreachable one is never called verified', async () => {
  await using at = await visit(server.url, desktop)
  at.expectProblem(/127\.0\.0\.1/)
  const { page } = at
  await verdictOnOpening(page, sampleBox)
  const section = await openCheckSection(page)
  const address = section.getByLabel('Check against another ledger server (advanced)')
  const again = section.getByRole('button', { name: 'Check again' })

  await address.fill('the nearest node')
  await again.click()
  await section.getByText('Enter an address that begins with https:// or http://').waitFor()

  const other = `http://127.0.0.1:${new URL(server.url).port}/api/chain/rpc`
  await address.fill(other)
  await again.click()
  await section.getByText('asking 127.0.0.1, which says that it is chain 31337').waitFor()
  assert.match(await verdictInHead(page), unchanged)

  await address.fill(`http://127.0.0.1:${await freePort()}/`)
  await again.click()
  await section.getByText('Can’t check right now.').waitFor()
  assert.match(await verdictInHead(page), /^Can’t check right now\./)
})

test('a proof is downloaded, verified as a file, and rejected after a change', async () => {
  await using at = await visit(server.url)
  const { page } = at
  await verdictOnOpening(page, sampleBox)
  const section = await openCheckSection(page)
  const download = page.waitForEvent('download')
  await section.getByRole('link', { name: 'Download the proof' }).click()
  const file = await download
  assert.equal(file.suggestedFilename(), `box-${sampleBox}.proof.json`)
  const path = join(server.dataDir, file.suggestedFilename())
  await file.saveAs(path)

  const picker = section.getByLabel('Check a saved proof file')
  await picker.setInputFiles(path)
  await section.getByText(`from the file box-${sampleBox}.proof.json`).waitFor()
  assert.match(await section.getByRole('status').last().innerText(), unchanged)

  const text = await readFile(path, 'utf8')
  const forged = join(server.dataDir, 'forged.json')
  await writeFile(forged, text.replace(/"temperature":\s*-?[\d.]+/, '"temperature": 0.5'))
  await picker.setInputFiles(forged)
  await section.getByText('from the file forged.json').waitFor()
  assert.match(await section.getByRole('alert').innerText(), /^Altered\./)
  await writeFile(forged, 'fish')
  await picker.setInputFiles([])
  await picker.setInputFiles(forged)
  await section.getByText('0 of 0 records').waitFor()
  assert.match(await section.getByRole('alert').innerText(), /^Not a BeFAQT proof\./)
  assert.match(await verdictInHead(page), unchanged, 'a file says nothing about the page')
})

test('without JavaScript the page can be read, claims nothing, and says how to check', async () => {
  await using at = await visit(server.url, { javaScriptEnabled: false })
  at.expectProblem(/csp/)
  const { page } = at
  await page.goto(boxPath(sampleBox))
  await page.getByText('Not checked.').waitFor()
  await page.getByText(`npm run -s box:verify -- box-${sampleBox}.proof.json`).waitFor()
  const positions = mapOf(page).getByRole('link', { name: 'every position with its time and temperature' })
  await positions.click()
  await page.waitForURL('**#readings')
  const table = page.getByRole('region', { name: 'Readings' }).getByRole('table')
  assert.match(await table.getByRole('row').nth(2).innerText(), /−\d+\.\d{5} \/ \d+\.\d{5}/)
  assert.doesNotMatch(await page.locator('main').innerText(), /Unchanged, by|Records verified|Checking/)
  await page.locator('rect.fill-cold').first().waitFor()
})

test('an unknown box is a 404 with a search that leads to the right one', async () => {
  await using at = await visit(server.url)
  at.expectProblem(/404/)
  const { page } = at
  const answer = await page.goto(boxPath('9999999999'))
  assert.equal(answer?.status(), 404)
  await page.getByRole('heading', { name: '404: Page not found' }).waitFor()
  await assertAccessible(page)
  await page.getByLabel('Box number').fill(sampleBox)
  await page.getByRole('button', { name: 'Find the box' }).click()
  await page.getByRole('heading', { level: 1, name: `Fish box ${sampleBox}` }).waitFor()
  assert.match(await verdictInHead(page), unchanged)
})

test('a box opened by a link in the shop is verified like one opened by its URL', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  await page.goto('/SFMBox/byId')
  await page.getByRole('link', { name: new RegExp(sampleBox) }).click()
  assert.match(await verdictInHead(page), unchanged)
  await mapIsDrawn(page)
  const group = page.getByRole('row', { name: /99 readings .* all anchored/ })
  await group.getByRole('link', { name: 'Show them' }).click()
  await page.locator('#record-41').waitFor()
  await page.getByRole('link', { name: '49 more' }).click()
  await page.locator('#record-101').waitFor()
  await eventually(() => page.locator('#record-41').count(), 0)
})

const mapOf = (page: Page) => page.getByRole('region', { name: 'Map of the journey' })

/** Waits for the readings on the map, which is drawn when the visitor comes near it. */
async function mapIsDrawn(page: Page): Promise<void> {
  await mapOf(page).scrollIntoViewIfNeeded()
  await page.locator('.reading-dot').first().waitFor()
}

test('the map has the width of the page, with its chart beside it from 1400 px on; bars are 600 by 350 from 768', async () => {
  for (const [width, beside] of [
    [768, false],
    [1_280, false],
    [1_440, true],
  ] as const) {
    await using at = await visit(server.url, { viewport: { width, height: 900 } })
    const { page } = at
    await page.goto(boxPath(sampleBox))
    const [map, chart, bars] = [
      await mapOf(page).boundingBox(),
      await page.getByRole('slider', { name: 'Reading along the journey' }).boundingBox(),
      await page.getByRole('slider', { name: 'Temperature chart, reading' }).boundingBox(),
    ]
    assert.ok(map && chart && bars)
    assert.equal(chart.y < map.y + map.height, beside, `${width}`)
    if (!beside) assert.ok(map.width > width * 0.9, `${map.width} of ${width}`)
    assert.deepEqual([Math.round(bars.width), Math.round(bars.height)], [600, 350], `${width}`)
    await mapOf(page).getByText('Loading the map').or(page.locator('.reading-dot').first()).first().waitFor()
  }
})

test('the map is loaded when it is scrolled near', async () => {
  await using at = await visit(server.url, { viewport: { width: 360, height: 480 } }) // taller ones begin near it
  const { page } = at
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(request.url()))
  assert.match(await verdictOnOpening(page, sampleBox), unchanged)
  assert.deepEqual(
    fetched.filter((url) => /leaflet|coastline/.test(url)),
    [],
  )
  await mapOf(page).getByText('Loading the map').waitFor()
  await mapOf(page).scrollIntoViewIfNeeded()
  await page.locator('.reading-dot').first().waitFor()
  assert.ok(fetched.some((url) => /leaflet-map.*\.js/.test(url)))
})

test('when the verifier cannot be loaded nothing is called verified', async () => {
  await using at = await visit(server.url)
  at.expectProblem(/check-worker|Failed to load|ERR_FAILED/)
  await at.page.route(/check-worker.*\.js/, (route) => route.abort())
  assert.match(
    await verdictOnOpening(at.page, sampleBox),
    /^Not checked\. The check itself could not be loaded/,
  )
})

for (const [what, files] of [
  ['script', /leaflet-map.*\.js/],
  ['look', /leaflet-look.*\.css/],
  ['coastline', /coastline-.*\.json/],
] as const)
  test(`without its ${what} only the map fails, and it loads when tried again`, async () => {
    await using at = await visit(server.url)
    at.expectProblem(/leaflet|coastline|stylesheet|Failed to (load|fetch)|ERR_FAILED/)
    const { page } = at
    await page.route(files, (route) => route.abort())
    await verdictOnOpening(page, sampleBox) // by then the map's frame is drawn anew
    await mapOf(page).evaluate((frame) => frame.scrollIntoView())
    await mapOf(page).getByText('Map cannot be loaded right now, sorry.').waitFor()
    await page.getByRole('heading', { name: 'Freshness assessment' }).waitFor()
    await saveScreenshot(page, `map-failed-${what}`)
    await page.unroute(files)
    await mapOf(page).getByRole('button', { name: 'Try again' }).click()
    await page.locator('.reading-dot').first().waitFor()
    const position = (element: Element) => getComputedStyle(element).position
    await eventually(() => page.locator('.leaflet-marker-icon').first().evaluate(position), 'absolute')
    await eventually(() => page.getByText('Map cannot be loaded').count(), 0)
  })
