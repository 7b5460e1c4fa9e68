import { type Browser, chromium, type Page } from 'playwright-core'
import { budgetHead, checkBudget } from './budget.ts'
import { percentile } from './percentile.ts'
import { startShop, untilIdle } from './shop.ts'
import { endSmoke } from './sized.ts'

/**
 * What a press or a key takes until its picture is there, on a phone whose processor is four times slower: interaction to
 * next paint, as browsers measure it. Budget: 100 ms, 75th percentile of all. `node bench/src/interactions.ts [times]`
 */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking']
const PHONE = { viewport: { width: 390, height: 844 }, locale: 'en-AU', hasTouch: true }
const SLOWER = 4
const BUDGET_MS = 100
const WAIT_MS = 20_000
/** So long nothing more comes of a press. */
const SETTLE_MS = 700

type Visit = { name: string; path: string; does: (page: Page) => Promise<void> }

const times = Number(process.argv[2] ?? 3)
endSmoke()
await using shop = await startShop({ ANCHOR_INTERVAL_S: '1' })
await untilIdle(shop)
const products = (await (await fetch(`${shop.url}/api/product/active`)).json()) as {
  _id: string
  title: string
}[]
const snapper = products.find(({ title }) => title.startsWith('Snapper, box'))?._id

const typed = async (page: Page, words: string): Promise<void> => {
  await page.getByPlaceholder('Search the market').filter({ visible: true }).tap()
  for (const key of words) await page.keyboard.press(key)
}

const visits: Visit[] = [
  { name: 'typing a search', path: '/', does: (page) => typed(page, 'snaper') },
  {
    name: 'the menu, open and closed',
    path: '/',
    does: async (page) => {
      const menu = page.locator('header summary:visible').last()
      await menu.tap()
      await page.keyboard.press('Escape')
    },
  },
  {
    name: 'filters of the list',
    path: '/product',
    does: async (page) => {
      await page.getByText('Filter and sort').tap()
      await page
        .getByText(/special/i)
        .filter({ visible: true })
        .first()
        .tap()
    },
  },
  {
    name: 'an amount, and into the cart',
    path: `/product/${snapper}`,
    does: async (page) => {
      await page.getByText('500 g', { exact: true }).first().tap()
      await page.getByRole('button', { name: /Add to Cart/ }).tap()
      await page
        .getByRole('button', { name: /Favourite/ })
        .first()
        .tap()
    },
  },
  {
    name: 'quantities in the cart',
    path: '/cart',
    does: async (page) => {
      await page
        .getByRole('button', { name: /^One more/ })
        .first()
        .tap()
      await page
        .getByRole('button', { name: /^One less/ })
        .first()
        .tap()
    },
  },
  {
    name: 'the checkout',
    path: '/checkout',
    does: async (page) => {
      await page.getByLabel('First name').tap()
      for (const key of 'Ann') await page.keyboard.press(key)
      await page.getByText('To your door').tap()
    },
  },
  {
    name: 'a box: how it was checked',
    path: '/SFMBox/byId/0345579444',
    does: (page) => page.getByText('See how this was checked').tap(),
  },
]

/** Collects the slowest event of each interaction from the start of the page. Runs in the browser. */
const collect = `(() => {
  window.slowest = {}
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
      if (interactionId) window.slowest[interactionId] = Math.max(window.slowest[interactionId] ?? 0, duration)
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
})()`

async function measure(browser: Browser, visit: Visit): Promise<number[]> {
  await using context = await browser.newContext(PHONE)
  await context.addInitScript(collect)
  const page = await context.newPage()
  page.setDefaultTimeout(WAIT_MS)
  if (visit.path === '/cart' || visit.path === '/checkout') {
    await page.goto(`${shop.url}/product/${snapper}`, { waitUntil: 'networkidle' })
    await page.getByRole('button', { name: /Add to Cart/ }).click()
    await page.getByText(/^Added/).waitFor()
  }
  await page.goto(shop.url + visit.path, { waitUntil: 'networkidle' })
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await visit.does(page)
  await page.waitForTimeout(SETTLE_MS)
  // What took less than 16 ms is not told, and so not counted.
  const slowest = await page.evaluate<Record<string, number>>('window.slowest')
  return Object.values(slowest)
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: FLAGS,
})
budgetHead('on the phone', 'interactions', 'slowest, ms')
const all: number[] = []
for (const visit of visits) {
  const taken: number[] = []
  for (let i = 0; i < times; i++) taken.push(...(await measure(browser, visit)))
  all.push(...taken)
  checkBudget([visit.name, taken.length, Math.max(...taken)], percentile(taken, 0.75), { mostMs: BUDGET_MS })
}
checkBudget(['all', all.length, Math.max(...all)], percentile(all, 0.75), { mostMs: BUDGET_MS })
await browser.close()
