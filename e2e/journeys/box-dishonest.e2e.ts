import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/accessible.ts'
import {
  anotherBox,
  boxPath,
  correctTemperature,
  openCheckSection,
  sampleBox,
  UNCHANGED,
  unchanged,
  verdictInHead,
  verdictOnOpening,
  waitUntilAnchored,
} from '../support/box-page.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { falsifyBoxPage, falsifyProof, type PageData } from '../support/dishonest.ts'
import { saveScreenshot } from '../support/screens.ts'
import { type Server, startServer } from '../support/server.ts'

/* A shop that lies: its scripts, the proof and the ledger are true, what the page shows is not. */

let server: Server
/** A reading of the sample box, and the value that a correction put in its place. */
const WARM = 9.87
let corrected = { nth: 0, before: 0 }
/** The true page of before the correction. */
let older: PageData

before(async () => {
  server = await startServer()
  await using at = await visit(server.url)
  await waitUntilAnchored(at.page, sampleBox)
  older = await (await fetch(`${server.url}/api/box/${sampleBox}/page`)).json()
  corrected = { nth: 5, before: await correctTemperature(server, 5, WARM) }
  await waitUntilAnchored(at.page, sampleBox)
})
after(() => server[Symbol.asyncDispose]())

/** Opens the box by a link of the shop: its data come by the API, so that they can be changed. */
async function openByLink(page: Page): Promise<string> {
  await followLink(page)
  await page.waitForURL(`**${boxPath(sampleBox)}`)
  return verdictInHead(page)
}

async function followLink(page: Page): Promise<void> {
  await page.goto('/SFMBox/byId')
  await untilHydrated(page)
  await page.getByRole('link', { name: new RegExp(sampleBox) }).click()
}

const lies: [what: string, lie: (view: PageData) => unknown, tells: RegExp][] = [
  [
    'forged stars',
    ({ figures }) => Object.assign(figures, { stars: 5, freshnessIndex: 0 }),
    /(Stars|Warmth index): the page shows/,
  ],
  [
    'a cold chain that never broke',
    ({ figures }) => Object.assign(figures.coldChain ?? {}, { highest: 3.1, minutesAbove5: 0 }),
    /Cold chain, minutes above 5 °C: the page shows 0/,
  ],
  [
    'hidden results',
    ({ box }) => Object.assign(box, { imageProc: [] }),
    /E-eye results: the page shows 0, the records hold \d/,
  ],
  [
    'a superseded value',
    ({ box }) =>
      Object.assign(box.iotResult?.iotTracking[corrected.nth] ?? {}, { temperature: corrected.before }),
    /Reading 6, temperature: the page shows .*the records say 9\.87\. It was corrected by record \d+\./,
  ],
  [
    'readings in another order',
    ({ box }) => box.iotResult?.iotTracking.reverse(),
    /Readings are shown in another order than they were recorded/,
  ],
  [
    'forged rows of records',
    ({ records }) => Object.assign(records[2] ?? {}, { anchoredAt: '2020-01-01T00:00:00Z' }),
    /Record 3, time of its anchor: the page shows 2020/,
  ],
  [
    'another species',
    ({ box }) => Object.assign(box.catchProv ?? {}, { species: 'Yellowfin Tuna' }),
    /Catch, species: the page shows Yellowfin Tuna/,
  ],
]

test('an honest page of a corrected box is verified', async () => {
  await using at = await visit(server.url)
  assert.match(await openByLink(at.page), unchanged)
})

for (const [what, lie, tells] of lies)
  test(`a page with ${what} is never called verified, and the difference is named`, async () => {
    await using at = await visit(server.url)
    const { page } = at
    await falsifyBoxPage(page, sampleBox, (view) => void lie(view))
    assert.match(await openByLink(page), /^Doesn’t match\./)
    const head = page.locator('main header')
    await head.getByText(tells).waitFor()
    assert.ok((await head.getByText('not confirmed').count()) >= 3)
    assert.equal(await head.locator('[data-verdict=good]').count(), 0)
  })

test('a page that is behind its records asks again, and one that stays behind is named', async () => {
  await using at = await visit(server.url)
  const { page } = at
  let asked = 0
  await falsifyBoxPage(page, sampleBox, (view) => {
    asked += 1
    return asked === 1 ? older : view
  })
  await openByLink(page)
  await page.locator('main header').getByText(`${UNCHANGED}.`).waitFor()
  assert.ok(asked >= 2) // more where the news of the newer records came before the check was done

  await page.unrouteAll()
  await falsifyBoxPage(page, sampleBox, () => older)
  await openByLink(page)
  const head = page.locator('main header')
  await head.getByText(/^Newer records not shown\. \d records? of this box came later/).waitFor()
  await head.getByText('Reload the page.').waitFor()
})

test('a page that cannot be compared does not keep the visitor waiting', async () => {
  await using at = await visit(server.url)
  const { page } = at
  await falsifyBoxPage(page, sampleBox, ({ box }) => void Object.assign(box.fisher, { boat: '\ud800' }))
  assert.match(await openByLink(page), /^Doesn’t match\./)
})

test('records that are withheld are counted beside the verdict', async () => {
  const truth: PageData = await (await fetch(`${server.url}/api/box/${sampleBox}/page`)).json()
  const shown = older.records.length // what came later is the correction, and the assessment that follows from it
  await using at = await visit(server.url)
  const { page } = at
  await falsifyProof(page, sampleBox, (text) => {
    const proof: { records: { seq: number }[] } = JSON.parse(text)
    const records = proof.records.map((record, i) =>
      i < shown ? record : { seq: record.seq, recordHash: truth.records[i]?.recordHash, withheld: true },
    )
    return JSON.stringify({ ...proof, records })
  })
  await falsifyBoxPage(page, sampleBox, (view) => {
    const records = view.records.map(({ corrects, ...row }, i) =>
      i < shown ? row : { ...row, at: '', by: '', state: 'withheld' },
    )
    return { ...view, box: older.box, figures: older.figures, records }
  })
  assert.match(await openByLink(page), /2 records are withheld/)
  await assertAccessible(page)
})

test('the proof of another box, and a text that is none, are never good', async () => {
  const other = await anotherBox(server)
  await using at = await visit(server.url)
  const { page } = at
  await falsifyProof(page, sampleBox, async () =>
    (await fetch(`${server.url}/api/box/${other}/proof`)).text(),
  )
  assert.match(await verdictOnOpening(page, sampleBox), new RegExp(`^For box ${other}\\.`))
  await page.locator('main header[data-failed]').waitFor()
  await page.unrouteAll()
  await falsifyProof(page, sampleBox, () => 'fish')
  assert.match(await verdictOnOpening(page, sampleBox), /^Not a BeFAQT proof\./)
})

test('a browser that verified other records before says so, until it is told to forget', async () => {
  await using at = await visit(server.url)
  const { page } = at
  assert.match(await verdictOnOpening(page, sampleBox), unchanged)
  await page.reload()
  await page.getByText('They continue what this browser verified on').waitFor()
  await page.evaluate(() => {
    const key = 'befaqt.verified-boxes'
    const kept = window.localStorage.getItem(key) ?? ''
    window.localStorage.setItem(key, kept.replace(/[0-9a-f]{64}/, 'ab'.repeat(32)))
  })
  assert.match(await verdictOnOpening(page, sampleBox), /^Another history\./)
  await page
    .locator('main header')
    .getByText(/this browser verified \d+ records of this box/)
    .waitFor()
  await assertAccessible(page)
  await saveScreenshot(page, 'box-forked')
  await page.locator('main header').getByRole('button', { name: 'Forget what this browser saw' }).click()
  await page.locator('main header').getByText(`${UNCHANGED}.`).waitFor()
})

test('that a box was never recorded is proven, and a shop that denies a box is not believed', async () => {
  await using at = await visit(server.url)
  at.expectProblem(/404|409/)
  const { page } = at
  await page.goto(boxPath('9999999999'))
  await page
    .getByText('Proven by your browser: the ledger that the shop names holds no box of this number.')
    .waitFor()
  await assertAccessible(page)

  await page.route(`**/api/box/${sampleBox}/absence`, async (route) => {
    const proof = await (await fetch(`${server.url}/api/box/9999999999/absence`)).text()
    await route.fulfill({ body: proof.replaceAll('9999999999', sampleBox), contentType: 'application/json' })
  })
  await page.route(`**/api/box/${sampleBox}/page`, (route) =>
    route.fulfill({
      status: 404,
      json: { error: { code: 'box.not_found', message: 'There is no such box.' } },
    }),
  )
  await followLink(page)
  await page.getByText('The shop did not prove that this box was never recorded.').waitFor()
})

test('one worker runs at a time, and none is left when the visitor leaves', async () => {
  await using at = await visit(server.url)
  const { page } = at
  await verdictOnOpening(page, sampleBox)
  let most = 0
  page.on('worker', () => {
    most = Math.max(most, page.workers().length)
  })
  const again = (await openCheckSection(page)).getByRole('button', { name: /Check again|Checking…/ })
  for (let i = 0; i < 4; i++) await again.click()
  await page.goto('/SFMBox/byId')
  await page.waitForFunction(() => document.readyState === 'complete')
  assert.ok(most <= 1, String(most))
  assert.equal(page.workers().length, 0)
})
