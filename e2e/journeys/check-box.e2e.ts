import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/accessible.ts'
import { sampleBox, UNCHANGED, waitUntilAnchored } from '../support/box-page.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { desktop } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { type Server, startServer } from '../support/server.ts'
import { eventually } from '../support/within.ts'

const CHECK = '/SFMBox/check'
const UNKNOWN = '9999999999'
let server: Server
let folder: string
before(async () => {
  server = await startServer()
  folder = await mkdtemp(join(tmpdir(), 'befaqt-proofs-'))
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const boxHeading = (page: Page) => page.getByRole('heading', { level: 1, name: `Fish box ${sampleBox}` })
const main = (page: Page) => page.getByRole('main')

test('a box is checked by its number, from the menu, with the keyboard', async () => {
  await using at = await visit(server.url)
  at.expectProblem(/404/)
  const { page } = at
  await untilHydrated(page)
  await page.getByLabel('Menu', { exact: true }).click()
  await page.locator('header').getByRole('link', { name: 'Check a box' }).click()
  await page.getByRole('heading', { level: 1, name: 'Check a box' }).waitFor()
  await assertAccessible(page)
  await saveScreenshot(page, 'check-a-box')
  const field = page.getByLabel('Box number')
  await field.press('Enter')
  await page.getByText('Type the number that is printed under the code.').waitFor()
  await page.getByLabel('Box number').fill('two words')
  await page.getByLabel('Box number').press('Enter')
  await page.getByText('A box number has letters, digits, dots and dashes, and no spaces.').waitFor()
  await eventually(() => page.getByLabel('Box number').inputValue(), 'two words')
  await page.getByLabel('Box number').fill(`${server.url}/SFMBox/byId/${sampleBox}`)
  await page.getByLabel('Box number').press('Enter')
  await boxHeading(page).waitFor()

  await page.goto(`${CHECK}?number=${UNKNOWN}`)
  await page.waitForURL(`**/SFMBox/byId/${UNKNOWN}`)
  await main(page).getByText(UNKNOWN).first().waitFor()
})

test('home and footer lead there, and the search of the market knows box numbers', async () => {
  await using at = await visit(server.url, desktop)
  const { page } = at
  await untilHydrated(page)
  await main(page)
    .getByRole('link', { name: /^Check a box/ })
    .click()
  await page.waitForURL(`**${CHECK}`)
  await eventually(() => page.locator('footer').getByRole('link', { name: 'Check a box' }).count(), 1)
  for (const from of ['/', '/product']) {
    await page.goto(from)
    await untilHydrated(page)
    const search = page.locator('header').getByRole('combobox', { name: 'Search the market' })
    await search.fill(sampleBox)
    await search.press('Enter')
    await boxHeading(page).waitFor()
  }
  await page.goto('/product?q=BOX-2026')
  await page.getByRole('heading', { name: 'Nothing like that on the slab' }).waitFor()
  await eventually(
    () => page.getByRole('link', { name: 'Check box BOX-2026' }).getAttribute('href'),
    '/SFMBox/byId/BOX-2026',
  )
})

test('without JavaScript the number leads to the box, and nothing is offered that can’t work', async () => {
  await using at = await visit(server.url + CHECK, { ...desktop, javaScriptEnabled: false })
  const { page } = at
  await eventually(() => page.getByRole('button', { name: 'Scan with the camera' }).isVisible(), false)
  await eventually(() => page.getByLabel('Proof file').isVisible(), false)
  await page.getByText('need JavaScript').first().waitFor()
  await page.getByLabel('Box number').fill(` ${sampleBox} `)
  await page.getByRole('button', { name: 'Check the box' }).click()
  await boxHeading(page).waitFor()
})

test('a saved proof is checked in the browser, and what is none is said to be none', async () => {
  await using at = await visit(server.url + CHECK)
  const { page } = at
  await waitUntilAnchored(page, sampleBox)
  await untilHydrated(page) // the field waits for it, and a file that is set before is not heard of
  const proof = await (await fetch(`${server.url}/api/box/${sampleBox}/proof`)).text()
  const check = (name: string, text: string) =>
    page
      .getByLabel('Proof file')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })
  await check('kept.json', proof)
  await main(page).getByText(`${UNCHANGED}, for box ${sampleBox}.`).waitFor()
  await assertAccessible(page)
  const link = page.getByRole('link', { name: `Open the page of box ${sampleBox}` })
  await link.waitFor()
  await saveScreenshot(page, 'check-a-file')

  const others: [name: string, text: string][] = [
    ['list.json', '[1, 2]'],
    ['photo.json', '\u0089PNG'],
    ['surrogates.json', proof.replace(sampleBox, String.raw`\ud800`)],
    ['records.json', JSON.stringify({ ...JSON.parse(proof), records: Array(100_000).fill({}) })],
  ]
  for (const [name, text] of others) {
    await check(name, text)
    await main(page).getByText(`${name} doesn’t hold the records of a box.`).waitFor()
  }

  const large = join(folder, 'large.json')
  await using file = await open(large, 'w')
  await file.truncate(100 * 1024 * 1024)
  await page.getByLabel('Proof file').setInputFiles(large)
  await main(page).getByText('This file is too large to be a proof.').waitFor()
  await main(page).getByText('large.json').waitFor()

  await check('kept again.json', proof)
  await link.click()
  await boxHeading(page).waitFor()
})

test('a browser that can’t read codes says so', async () => {
  await using at = await visit(server.url)
  const { page } = at
  await page.addInitScript(() => Reflect.deleteProperty(window, 'BarcodeDetector'))
  await page.goto(CHECK)
  await page.getByText('This browser can’t read codes.').waitFor()
})

/** In place of a camera that sees a code: there is none on the machines that run this. */
const seeing = (code: string) => `
  window.BarcodeDetector = class { async detect() { return [{ rawValue: ${JSON.stringify(code)} }] } }
  const canvas = document.createElement('canvas')
  setInterval(() => canvas.getContext('2d').fillRect(0, 0, 9, 9), 50)
  navigator.mediaDevices.getUserMedia = async () => (window.camera = canvas.captureStream(5))`

test('the code in the camera’s picture leads to the box, and the camera goes off', async () => {
  await using at = await visit(server.url)
  const { page } = at
  await page.addInitScript(seeing('https://elsewhere.example/menu'))
  await page.goto(CHECK)
  await page.getByRole('button', { name: 'Scan with the camera' }).click()
  await page.getByText('That code doesn’t belong to a box.').waitFor()
  const live = () =>
    page.evaluate(() =>
      Reflect.get(window, 'camera')
        .getTracks()
        .some((track: MediaStreamTrack) => track.readyState === 'live'),
    )
  assert.ok(await live())
  await page.getByRole('button', { name: 'Stop the camera' }).click()
  await page.getByRole('button', { name: 'Scan with the camera' }).waitFor()
  assert.equal(await live(), false)

  await page.addInitScript(seeing(`${server.url}/SFMBox/byId/${sampleBox}`))
  await page.goto(CHECK)
  await page.getByRole('button', { name: 'Scan with the camera' }).click()
  await boxHeading(page).waitFor()
  assert.equal(await live(), false)
})

test('a camera that is refused is said to be', async () => {
  await using at = await visit(server.url)
  const { page } = at
  await page.addInitScript(`${seeing('')}
    navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', 'NotAllowedError'))`)
  await page.goto(CHECK)
  await page.getByRole('button', { name: 'Scan with the camera' }).click()
  await page.getByRole('alert').filter({ hasText: 'The camera was not allowed.' }).waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Scan with the camera' }).waitFor()
})

test('the worker that checks may ask a node elsewhere, the page may not', async () => {
  const node = createServer((_request, reply) => {
    reply.writeHead(200, { 'access-control-allow-origin': '*' }).end()
  }).listen(0, '127.0.0.1')
  await once(node, 'listening')
  const elsewhere = `http://127.0.0.1:${(node.address() as AddressInfo).port}/`
  try {
    await using at = await visit(server.url)
    at.expectProblem(/Content Security Policy|request (to elsewhere|failed).*127\.0\.0\.1|Failed to fetch/)
    const { page } = at
    const started = page.waitForEvent('worker')
    await page.goto(`/SFMBox/byId/${sampleBox}`)
    const worker = await started
    const reach = (url: string) =>
      fetch(url).then(
        () => true,
        () => false,
      )
    await eventually(() => worker.evaluate(reach, elsewhere), true, 'of the worker')
    await eventually(() => page.evaluate(reach, elsewhere), false, 'of the page')
  } finally {
    node.close()
  }
})
