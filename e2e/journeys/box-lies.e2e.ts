import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
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
import { pauseRequests, untilHydrated, visit } from '../support/browser.ts'
import { askNodeElsewhere, falsifyHtml, NODE, olderCount } from '../support/dishonest.ts'
import { saveScreenshot } from '../support/screens.ts'
import { type Server, startServer } from '../support/server.ts'

/*
 * A lying shop whose scripts are honest, before a visitor who asks a ledger server of his own choice: nothing that it
 * lies about stands under the top grade. What remains is said on the page: scripts and styles.
 */

let server: Server
let other = ''

before(async () => {
  server = await startServer()
  await using at = await visit(server.url)
  await waitUntilAnchored(at.page, sampleBox)
  other = await anotherBox(server)
  await waitUntilAnchored(at.page, other)
})
after(() => server[Symbol.asyncDispose]())

const head = (page: Page) => page.locator('main header')
const isGreen = async (page: Page): Promise<boolean> =>
  (await head(page).locator('[data-verdict=good]').count()) > 0

/** A visitor whose browser asks a node on another host. */
async function independent() {
  const at = await visit(server.url)
  at.expectProblem(/node\.example/)
  await askNodeElsewhere(at.page, server.url)
  return at
}

test('only a ledger server on another host, named by the visitor, makes the verdict green', async () => {
  await using at = await visit(server.url)
  at.expectProblem(/node\.example/)
  const { page } = at
  assert.match(await verdictOnOpening(page, sampleBox), unchanged)
  assert.equal(await isGreen(page), false)
  await head(page).locator('[data-verdict=own]').waitFor()
  await saveScreenshot(page, 'box-own')

  await askNodeElsewhere(page, server.url, false)
  const section = await openCheckSection(page)
  await section.getByLabel('Check against another ledger server (advanced)').fill(NODE)
  await section.getByRole('button', { name: 'Check again' }).click()
  await head(page).locator('[data-verdict=good]').waitFor()
  assert.match(await verdictInHead(page), /^Records verified\..*Asked: node\.example\./s)
  await section.getByText('Your browser asked node.example, which you named').waitFor()
  await saveScreenshot(page, 'box-other')

  await section.getByLabel('And a second one').fill(`${server.url}/api/chain/rpc`)
  await section.getByRole('button', { name: 'Check again' }).click()
  await section
    .getByText(/Your browser asked node\.example and \S+, which you named and which agree\. At least one/)
    .waitFor()
  assert.equal(await isGreen(page), true)

  await page.reload()
  await head(page).locator('[data-verdict=good]').waitFor()
  await openCheckSection(page)
  assert.equal(await section.getByLabel('And a second one').inputValue(), `${server.url}/api/chain/rpc`)
  await section.getByLabel('And a second one').fill('')
  await section.getByLabel('Check against another ledger server (advanced)').fill('')
  await section.getByRole('button', { name: 'Check again' }).click()
  await head(page).getByText(UNCHANGED).waitFor()
})

test('a node of another chain, named by mistake, is not kept for the next page', async () => {
  await using at = await visit(server.url)
  const { page } = at
  const elsewhere = 'https://elsewhere.example/'
  at.expectProblem(/^request to elsewhere: https:\/\/elsewhere\.example\/$/)
  await page.route(`${elsewhere}**`, async (route) => {
    const calls: { id: number }[] = route.request().postDataJSON()
    const json = calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x1' }))
    await route.fulfill({ json, headers: { 'access-control-allow-origin': '*' } })
  })
  await verdictOnOpening(page, sampleBox)
  const section = await openCheckSection(page)
  await section.getByLabel('Check against another ledger server (advanced)').fill(elsewhere)
  await section.getByRole('button', { name: 'Check again' }).click()
  await head(page).getByText('The proof names another chain than the one that was asked.').waitFor()
  assert.match(await verdictOnOpening(page, sampleBox), unchanged)
})

test('an older state of the shop is green to nobody: its own ledger is no witness, another one knows better', async () => {
  const older = await (await fetch(`${server.url}/api/box/${sampleBox}/proof`)).text()
  const proof: { records: unknown[]; anchors: { index: number; leaf: { count: number } }[] } =
    JSON.parse(older)
  const cut = proof.anchors.at(-1)
  assert.ok(cut)
  await correctTemperature(server, 0, 9.9)
  {
    await using seen = await visit(server.url)
    await waitUntilAnchored(seen.page, sampleBox)
  }
  for (const isIndependent of [false, true]) {
    await using at = isIndependent ? await independent() : await visit(server.url)
    const { page } = at
    await olderCount(page, cut.index + 1)
    await page.route(`**/api/box/${sampleBox}/proof`, (route) =>
      route.fulfill({ body: older, contentType: 'application/json' }),
    )
    await verdictOnOpening(page, sampleBox)
    assert.equal(await isGreen(page), false, String(isIndependent))
  }
})

test('flags of the shop write no sentence about who was asked', async () => {
  await using at = await visit(server.url)
  const { page } = at
  await falsifyHtml(page, (html) =>
    html.replaceAll(/embedded(\\?":)true/g, 'embedded$1false').replaceAll('31337', '137'),
  )
  assert.match(await verdictOnOpening(page, sampleBox), unchanged)
  const section = await openCheckSection(page)
  await section.getByText('the ledger that the shop names, and nobody else').waitFor()
  assert.match(await section.innerText(), /Chain 31337 is a development chain/)
})

test('the page of another box is refused, whatever its proof', async () => {
  await using at = await independent()
  const { page } = at
  at.expectProblem(/#418/) // the box of the address is in the page's data
  await page.route(`**${boxPath(other)}`, async (route) =>
    route.fulfill({ response: await route.fetch({ url: `${server.url}${boxPath(sampleBox)}` }) }),
  )
  await page.route(`**/api/box/${other}/**`, async (route) => {
    const url = route.request().url().replace(other, sampleBox)
    await route.fulfill({ response: await route.fetch({ url }) })
  })
  await page.goto(boxPath(other))
  await head(page).getByText(`For box ${sampleBox}.`).waitFor()
  assert.equal(await isGreen(page), false)
  await page.waitForTimeout(1_000)
  assert.equal(await isGreen(page), false)
  await saveScreenshot(page, 'box-other-box')
})

const markup: [what: string, lie: (html: string) => string, lied: string][] = [
  [
    'more stars',
    (html) => html.replaceAll(/\d of 5 stars"/g, '6 of 5 stars"'),
    '[aria-label="6 of 5 stars"]',
  ],
  [
    'stars that are filled',
    (html) => html.replaceAll('<path d="M12 2.6', '<path d="M0 0h9v9zM12 2.6'),
    'path[d^="M0 0h9v9z"]',
  ],
  [
    'another name of a chart',
    (html) => html.replaceAll(/(<svg[^>]*role="img" aria-label=")[^"]*"/g, '$1Cold all the way"'),
    '[aria-label="Cold all the way"]',
  ],
  ['bars of another colour', (html) => html.replaceAll('fill-cold', 'fill-cold lied'), '.lied'],
  [
    'other pictures',
    (html) => html.replaceAll(/src="\/api\/file\/[0-9a-f]{32}\.webp"/g, 'src="/favicon.svg"'),
    'img[src="/favicon.svg"]',
  ],
]

for (const [what, lie, lied] of markup)
  test(`HTML with ${what} is drawn again from the records before it stands under a verdict`, async () => {
    await using at = await independent()
    const { page } = at
    at.expectProblem(/#418/)
    let changed = false
    await falsifyHtml(page, (html) => {
      const made = lie(html)
      changed ||= made !== html
      return made
    })
    await page.goto(boxPath(sampleBox))
    await head(page).locator('[data-verdict=good]').waitFor()
    await page.waitForFunction((selector) => document.querySelector(`main :is(${selector})`) === null, lied)
    assert.ok(changed, 'the lie was told')
  })

test('a page whose text was changed on its way says so, and shows what the records say', async () => {
  await using at = await independent()
  const { page } = at
  at.expectProblem(/#418/)
  await falsifyHtml(page, (html) =>
    html.replace(/(<h1.*?<span[^>]*>)([^<]*)(<\/span><\/h1>)/s, '$1Gold fish$3'),
  )
  await page.goto(boxPath(sampleBox))
  await head(page)
    .getByText('This page was changed after it left the shop, perhaps by your browser')
    .waitFor()
  assert.doesNotMatch(await page.locator('h1').innerText(), /Gold fish/)
})

test('an honest page is drawn again without a word, a jump, or the focus lost', async () => {
  await using at = await independent()
  const { page } = at
  await page.addInitScript(() => {
    Object.assign(window, { jumped: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        Object.assign(window, { jumped: Reflect.get(window, 'jumped') + Reflect.get(entry, 'value') })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  const release = await pauseRequests(page, `**/api/box/${sampleBox}/proof`)
  await page.goto(boxPath(sampleBox))
  await untilHydrated(page)
  const mark = head(page).getByRole('button', { name: 'computed' }).first()
  await mark.focus()
  await mark.evaluate((element) => element.setAttribute('data-served', ''))
  await page.evaluate(() => window.scrollTo(0, 60))
  release()
  await head(page).locator('[data-verdict=good]').waitFor()
  await page.waitForFunction(() => document.querySelector('[data-served]') === null)
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'computed')
  assert.equal(await page.evaluate(() => window.scrollY), 60)
  assert.equal(await page.getByText('This page was changed').count(), 0)
  assert.ok((await page.evaluate(() => Number(Reflect.get(window, 'jumped')))) < 0.02)
})

test('files of records are drawn from the bytes that the records name, and others are refused', async () => {
  {
    await using at = await independent()
    await verdictOnOpening(at.page, sampleBox)
    await at.page.locator('main img[src^="blob:"]').first().waitFor()
    assert.equal(await isGreen(at.page), true)
  }
  await using at = await independent()
  const { page } = at
  at.expectProblem(/favicon|decode|image/)
  await page.route(/\/api\/file\/[0-9a-f]{32}\.(webp|csv)$/, (route) =>
    route.fulfill({ body: 'another fish', contentType: 'image/webp' }),
  )
  await page.goto(boxPath(sampleBox))
  await head(page).getByText('A picture or data file of this page is not the one').waitFor()
  assert.equal(await isGreen(page), false)
  await page.getByText('Not shown: the shop sent another picture').first().waitFor()
  const section = await openCheckSection(page)
  await section.getByText('A picture or data file of this page is not the one').waitFor()
  assert.equal(await section.getByText('Records verified').count(), 0)
})

for (const width of [360, 412])
  test(`at ${width} px the verdict is no larger than the text in its place before: no later largest paint`, async () => {
    await using at = await visit(server.url, { viewport: { width, height: 823 } })
    const { page } = at
    await page.addInitScript(() => {
      const paints: string[] = []
      Object.assign(window, { paints })
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          paints.push(
            `${Reflect.get(entry, 'size')} ${Reflect.get(entry, 'element')?.textContent?.slice(0, 60)}`,
          )
      }).observe({ type: 'largest-contentful-paint', buffered: true })
    })
    const paints = (): Promise<string[]> => page.evaluate(() => Reflect.get(window, 'paints'))
    const release = await pauseRequests(page, `**/api/box/${sampleBox}/proof`)
    await page.goto(boxPath(sampleBox))
    await untilHydrated(page)
    await page.waitForFunction(() => Reflect.get(window, 'paints').length > 0)
    const before = await paints()
    release()
    await head(page).locator('[data-verdict=own]').waitFor()
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 500)))
    assert.deepEqual(await paints(), before)
  })
