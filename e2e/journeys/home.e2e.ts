import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertNoSidewaysScroll } from '../support/accessible.ts'
import { boxPath, sampleBox } from '../support/box-page.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { desktop } from '../support/manager.ts'
import { saveScreenshot } from '../support/screens.ts'
import { startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

const server = await startForFile(startServer())
const phone = { viewport: { width: 360, height: 740 } }
type Card = { title: string; box: { bestBy: string } }
type Slot = { kind: string; startsAt: string; endsAt: string; cutOffAt: string }

/** Of the whole page on a phone 360 px wide, in px. */
const HIGHEST = 4_000

const read = async <Answer>(path: string): Promise<Answer> => (await fetch(server.url + path)).json()

const main = (page: Page) => page.getByRole('main')
const freshest = (page: Page) => page.getByRole('region', { name: 'Freshest today' })
const products = (page: Page) => page.getByRole('region', { name: 'Seafood Products' })

/** Where something begins on the page, in px. */
async function top(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).first().boundingBox()
  return box ? Math.round(box.y) : Number.NaN
}

test('on a phone home is the shop first, in its order, and at most 4,000 px', async () => {
  await using at = await visit(server.url, phone)
  const { page } = at
  await untilHydrated(page)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const order = [
    'header input[name=q]',
    'h1',
    '#freshest',
    'main dl',
    'main ul a[href="/category/Prawns"]',
    `main a[href="${boxPath(sampleBox)}"]:has(video)`,
    '#categories',
    '#products',
    'footer',
  ]
  const tops = await Promise.all(order.map((selector) => top(page, selector)))
  assert.deepEqual(
    tops,
    tops.toSorted((a, b) => a - b),
    order.join(', '),
  )
  const height = await page.evaluate(() => document.documentElement.scrollHeight)
  assert.ok(height <= HIGHEST, `${height} px`)
  await assertNoSidewaysScroll(page)
  await saveScreenshot(page, 'home-phone')
})

test('the freshest four have price and date, lead to themselves, and all products are a tap away', async () => {
  await using at = await visit(server.url, phone)
  const { page } = at
  await untilHydrated(page)
  const cards = await read<Card[]>('/api/product/freshest')
  assert.equal(cards.length, 4)
  const shown = await freshest(page).getByRole('article').allInnerTexts()
  for (const [i, { title, box }] of cards.entries()) {
    assert.ok(shown[i]?.includes(title), title)
    assert.match(shown[i] ?? '', /\$\d+\.\d\d\//)
    assert.match(shown[i] ?? '', new RegExp(`best by \\w{3} ${Number(box.bestBy.slice(8))} `))
  }
  await eventually(() => products(page).getByRole('article').count(), 12)
  await freshest(page)
    .getByRole('link', { name: cards[0]?.title ?? '' })
    .first()
    .click()
  await page.waitForURL((url) => url.pathname !== '/')
  await page.goBack()
  await products(page)
    .getByRole('link', { name: /^All \d+ products$/ })
    .click()
  await page.waitForURL('**/product')
})

test('the next times are named, and a page that stays open goes on to the one after a cut-off', async () => {
  await using at = await visit(`${server.url}/about/us`, desktop)
  const { page } = at
  const slots = await read<Slot[]>('/api/slot/next')
  const [first, second] = slots.filter(({ kind }) => kind === 'pickup')
  assert.ok(first && second && slots.some(({ kind }) => kind === 'delivery'))
  const clock = (at: string): string =>
    new Intl.DateTimeFormat('en-AU', {
      ...{ hour: 'numeric', minute: '2-digit', hour12: true, timeZone: 'Australia/Sydney' },
    })
      .format(new Date(at))
      .replaceAll(/\s/g, ' ')
  const pickUp = main(page).locator('dl > div', { hasText: 'Pick-up at Sydney Fish Market' })
  // The browser's own fake clock stops what says that a page is hydrated, too.
  await page.addInitScript(() => {
    const { now } = Date
    const ahead = { ms: 0 }
    Date.now = () => now() + ahead.ms
    Object.assign(window, { ahead })
  })
  const goAhead = (ms: number) =>
    page.evaluate((ms) => Object.assign(Reflect.get(window, 'ahead'), { ms }), ms)
  await page.goto('/')
  await untilHydrated(page)
  await pickUp.getByText(`${clock(first.startsAt)} to ${clock(first.endsAt)}`).waitFor()
  await main(page)
    .getByText(/^Delivery to 13 postcodes, at no charge/)
    .waitFor()
  await goAhead(Date.parse(first.cutOffAt) - Date.now() + 60_000)
  await pickUp.getByText(`${clock(second.startsAt)} to ${clock(second.endsAt)}`).waitFor()
  await goAhead(30 * 86_400_000)
  await pickUp.getByText('The checkout shows the next time.').waitFor()
})

test('on a desktop the freshest four are in the first screen, and without script home is whole', async () => {
  await using at = await visit(server.url, { ...desktop, javaScriptEnabled: false })
  at.expectProblem(/ csp$/)
  const { page } = at
  await eventually(() => freshest(page).getByRole('article').count(), 4)
  const tops = await freshest(page)
    .getByRole('article')
    .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().top))
  assert.equal(new Set(tops).size, 1, 'side by side')
  assert.ok((tops[0] ?? Number.NaN) < 450, `${tops[0]}`)
  await main(page)
    .getByText(/^Pick-up at/)
    .waitFor()
  await page.getByRole('heading', { name: 'Catch of the Day with Tracking Records' }).waitFor()
  await page.getByRole('link', { name: /See this box’s journey/ }).waitFor()
  await page.getByRole('heading', { name: 'Project partners' }).waitFor()
})
