import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { parseCheckpoint } from '@befaqt/provenance/log/checkpoint'
import { parseNote } from '@befaqt/provenance/log/note'
import { cosign, signCheckpoint } from '@befaqt/provenance/log/signed-checkpoint'
import type { Summary } from '@befaqt/provenance/summary'
import { newSigner } from '@befaqt/provenance/testing/log'
import { partiesOf, twoOfThree, witnesses } from '@befaqt/provenance/testing/logged-shop'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/accessible.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { until } from '../support/within.ts'

/* Stars of cards and product pages, checked by the browser of whoever looks: fit, contradicted, or the shop's word. */

const server = await startForFile(startServer())

type Product = { _id: string; title: string; shelfPos: string; box: { boxID: string } | null }
/** One whose card leads to its own page, with a box whose stars the log has. */
let product: Product
let summary: Summary

const summaryOf = async (boxID: string): Promise<Summary | { none: string }> =>
  (await fetch(`${server.url}/api/box/${boxID}/summary`)).json()

before(async () => {
  const all: Product[] = await (await fetch(`${server.url}/api/product/active`)).json()
  const products = all.filter(({ shelfPos }) => !shelfPos.startsWith('0'))
  await until(180, 'a summary of a box is given', async () => {
    for (const one of products) {
      const found = one.box && (await summaryOf(one.box.boxID))
      if (!found || 'none' in found) continue
      ;[product, summary] = [one, found]
      return true
    }
    return false
  })
})

const widths = [360, 1280].map((width) => ({ width, height: 900 }))
/** The words below the stars of the product's box. */
const wordsOn = (page: Page) => page.locator(`main [data-fresh="${product.box?.boxID}"]`).first()
const said = (page: Page, tone: string) =>
  page.locator(`main [data-fresh="${product.box?.boxID}"][data-said=${tone}]`).first()
const path = () => `/product/${product._id}`

/** Counts how far things moved on the pages to come. */
const measureJumps = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    Object.assign(window, { jumped: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        Object.assign(window, { jumped: Reflect.get(window, 'jumped') + Reflect.get(entry, 'value') })
    }).observe({ type: 'layout-shift', buffered: true })
  })

/** Opens the product and lets it come to rest before its summary is answered, as it is or otherwise; says how far things moved since. */
async function jumpedBy(page: Page, tone: string, answer?: object): Promise<number> {
  const { promise: answered, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/box/*/summary', async (route) => {
    await answered
    await (answer === undefined ? route.continue() : route.fulfill({ json: answer }))
  })
  await measureJumps(page)
  const asked = page.waitForRequest('**/api/box/*/summary')
  await page.goto(path())
  await wordsOn(page).scrollIntoViewIfNeeded()
  await asked
  await page.evaluate(() => document.fonts.ready)
  await page.waitForTimeout(500)
  await page.evaluate(() => Object.assign(window, { jumped: 0 }))
  resolve()
  await said(page, tone).waitFor()
  await page.waitForTimeout(200)
  return page.evaluate(() => Number(Reflect.get(window, 'jumped')))
}

/** The shop answers with another summary of the box. */
const lie = (page: Page, answer: object): Promise<unknown> =>
  page.route(`**/api/box/${product.box?.boxID}/summary`, (route) => route.fulfill({ json: answer }))

for (const viewport of widths) {
  test(`${viewport.width} px: stars that fit the shop's log say so and no more, and nothing moves`, async () => {
    await using at = await visit(server.url, { viewport })
    const { page } = at
    assert.equal(await jumpedBy(page, 'own'), 0)
    assert.match(
      await wordsOn(page).innerText(),
      /^Stars checked to (\d+ \w{3}, )?\d+:\d\d [ap]m by the shop’s log; we asked nobody else$/,
    )
    await assertAccessible(page)
    await saveScreenshot(page, `stars-own-${viewport.width}`)
  })

  test(`${viewport.width} px: under the visitor's policy they are witnessed, and a signature that is false is none`, async () => {
    await using at = await visit(server.url, { viewport })
    const { page } = at
    const checkpoint = parseCheckpoint(parseNote(summary.log.checkpoint).text)
    const log = newSigner(checkpoint.origin)
    const timeS = Math.floor(Date.now() / 1000)
    const lines = witnesses.slice(0, 2).map((signer) => cosign(checkpoint, signer, timeS))
    const note = signCheckpoint(checkpoint, log) + lines.join('')
    const policy = [...partiesOf(witnesses, log), ...twoOfThree.split('\n').slice(-3)].join('\n')
    await page.addInitScript((text) => window.localStorage.setItem('befaqt.policy', text), policy)
    await lie(page, { ...summary, log: { ...summary.log, checkpoint: note } })
    await page.goto(path())
    await wordsOn(page).scrollIntoViewIfNeeded()
    await said(page, 'good').waitFor()
    assert.match(await wordsOn(page).innerText(), /^Stars checked to .*, witnessed 2 of 3$/)
    await saveScreenshot(page, `stars-witnessed-${viewport.width}`)

    await page.unrouteAll()
    const moved = note.replace(lines[0] ?? '', cosign(checkpoint, newSigner('market.example/w', 4), timeS))
    await lie(page, { ...summary, log: { ...summary.log, checkpoint: moved } })
    await page.goto(path())
    await wordsOn(page).scrollIntoViewIfNeeded()
    await said(page, 'own').waitFor()
    assert.match(await wordsOn(page).innerText(), /1 of 3 witnesses signed$/)
  })

  test(`${viewport.width} px: what does not hold takes the place of the stars, with the way to the box's check`, async () => {
    await using at = await visit(server.url, { viewport })
    const { page } = at
    const [first, ...rest] = summary.records
    assert.ok(first)
    const fresher = { ...first, data: { ...first.data, freshnessIndex: 0 } }
    assert.equal(await jumpedBy(page, 'bad', { ...summary, records: [fresher, ...rest] }), 0)
    assert.match(
      await wordsOn(page).innerText(),
      /^Freshness not shown: what the shop sent does not prove it/,
    )
    assert.equal(await wordsOn(page).locator('..').getByRole('img').filter({ visible: true }).count(), 0)
    assert.equal(await page.getByText('kept as cold as it was last measured').isVisible(), false)
    await assertAccessible(page)
    await saveScreenshot(page, `stars-broken-${viewport.width}`)
    await wordsOn(page).getByRole('link', { name: 'See its check' }).click()
    await page.waitForURL((url) => url.pathname === `/SFMBox/byId/${product.box?.boxID}`)
  })
}

test('a page with other stars than the records have says so in their place', async () => {
  await using at = await visit(server.url, { viewport: { width: 1280, height: 900 } })
  const { page } = at
  const first = summary.records[0]?.data.freshnessIndex
  const [index, shown] = Number(first) <= 0.5 ? ['0.99', 4] : ['0.1', 5]
  await page.route(`**/api${path()}`, async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(/("freshnessIndex":)[\d.]+/, `$1${index}`)
    await route.fulfill({ response, body })
  })
  await page.goto('/product')
  await untilHydrated(page)
  await page.getByRole('main').getByRole('link', { name: product.title, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: product.title }).waitFor()
  await wordsOn(page).scrollIntoViewIfNeeded()
  await said(page, 'warn').waitFor()
  const words = new RegExp(
    `^Shown with ${shown} stars; its records have \\d of 5, to .*\\. Reload the page\\. See its check$`,
  )
  assert.match(await wordsOn(page).innerText(), words)
  await saveScreenshot(page, 'stars-other-1280')
})

test('what was found is not believed any longer than the visitor believes the same witnesses', async () => {
  await using at = await visit(server.url, { viewport: { width: 1280, height: 900 } })
  const { page } = at
  const checkpoint = parseCheckpoint(parseNote(summary.log.checkpoint).text)
  const log = newSigner(checkpoint.origin)
  const timeS = Math.floor(Date.now() / 1000)
  const lines = witnesses.slice(0, 2).map((signer) => cosign(checkpoint, signer, timeS))
  await lie(page, {
    ...summary,
    log: { ...summary.log, checkpoint: signCheckpoint(checkpoint, log) + lines.join('') },
  })
  await page.goto('/product')
  await untilHydrated(page)
  await wordsOn(page).scrollIntoViewIfNeeded()
  await said(page, 'own').waitFor()
  const policy = [...partiesOf(witnesses, log), ...twoOfThree.split('\n').slice(-3)].join('\n')
  await page.evaluate((text) => window.localStorage.setItem('befaqt.policy', text), policy)
  await page.getByRole('main').getByRole('link', { name: product.title, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: product.title }).waitFor()
  await wordsOn(page).scrollIntoViewIfNeeded()
  await said(page, 'good').waitFor()
})

test('every box of the sample whose freshness stands on a card has a summary of at most 4,096 bytes', async (t) => {
  const all: Product[] = await (await fetch(`${server.url}/api/product/active`)).json()
  const boxIDs = [...new Set(all.flatMap(({ box }) => (box === null ? [] : [box.boxID])))]
  assert.ok(boxIDs.length > 1)
  for (const boxID of boxIDs) {
    let [text, found]: [string, object] = ['', {}]
    await until(60, `a summary of ${boxID}`, async () => {
      text = await (await fetch(`${server.url}/api/box/${boxID}/summary`)).text()
      found = JSON.parse(text)
      return !('none' in found && /waits for the log|No state of it/.test(String(found.none)))
    })
    t.diagnostic(`${boxID}: ${Buffer.byteLength(text)} bytes`)
    assert.ok(!('none' in found), `${boxID}: ${text}`)
    assert.ok(Buffer.byteLength(text) <= 4_096, boxID)
  }
})

test('cards in the window are checked, some at a time and each box once; no more than a page may', async () => {
  await using at = await visit(server.url, { viewport: { width: 1280, height: 900 } })
  const { page } = at
  let [open, most] = [0, 0]
  const asked: string[] = []
  await page.route('**/api/box/*/summary', async (route) => {
    asked.push(route.request().url())
    most = Math.max(most, ++open)
    await new Promise((resolve) => setTimeout(resolve, 50))
    open--
    await route.continue()
  })
  await page.goto('/product')
  await page.locator('main [data-said]').first().waitFor()
  const shown = await page.locator('main [data-fresh]').count()
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await page.locator('main [data-fresh]').last().scrollIntoViewIfNeeded()
  await page.waitForTimeout(2_000)
  assert.ok(most <= 3, `${most} at once`)
  assert.ok(asked.length <= 24 && asked.length <= shown, `${asked.length} of ${shown}`)
  assert.equal(new Set(asked).size, asked.length, 'each box once')
  await saveScreenshot(page, 'stars-cards-1280')
})

test('no summary, no connection and no script leave the words the shop’s', async () => {
  await using at = await visit(server.url, { viewport: { width: 360, height: 780 } })
  const { page, context } = at
  at.expectProblem(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
  await lie(page, { v: 2, box: product.box?.boxID, none: 'It waits for the log.' })
  await page.goto(path())
  await wordsOn(page).scrollIntoViewIfNeeded()
  await said(page, 'shop').waitFor()
  assert.equal(await wordsOn(page).innerText(), 'Freshness as the shop states it')
  await saveScreenshot(page, 'stars-shop-360')
  await page.unrouteAll()
  await page.goto(path())
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('watch-freshness')),
  )
  await context.setOffline(true)
  await wordsOn(page).scrollIntoViewIfNeeded()
  await said(page, 'shop').waitFor()
  assert.equal(await wordsOn(page).innerText(), 'Freshness as the shop states it; not checked: no connection')
  await context.setOffline(false)
  await said(page, 'own').waitFor()

  await using bare = await visit(server.url, { javaScriptEnabled: false })
  await bare.page.goto(path())
  assert.equal(await wordsOn(bare.page).innerText(), 'Freshness as the shop states it')
})
