/**
 * A click on a link inside the shop beside loading the same page as a document, and beside a document that the browser
 * begins to fetch when the link is pressed (speculation rules), from a page that has settled: from where the finger leaves
 * the link, 90 ms after it came, to the frame with the next page's heading. Budget: a click takes no longer than either.
 * `node bench/src/clicks.ts [times] [part of a way's name …]`
 */
import { type Browser, chromium, type Page } from 'playwright-core'
import { type Network, slowLine } from '../../e2e/support/slow-line.ts'
import { row, tableHead } from './load-table.ts'
import { percentile } from './percentile.ts'
import { startShop, untilIdle } from './shop.ts'
import { endSmoke } from './sized.ts'

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking']
const WAIT_MS = 120_000
/** So long a finger stays on a link. */
const TOUCH_MS = 90

const line = (roundTripMs: number, bytesPerSecond: number): Network => ({
  roundTripMs,
  down: bytesPerSecond,
  up: bytesPerSecond,
})
const networks: Readonly<Record<string, Network>> = {
  '300 ms, 200 KB/s': line(300, 200_000),
  '60 ms, 10 Mbit/s': line(60, 1_250_000),
  '5 ms, 100 Mbit/s': line(5, 12_500_000),
}
const AT_ONCE = line(0, 1e9)

type Way = { name: string; from: string; to: string }
const shapes = ['click', 'document', 'document, from the press'] as const
type Shape = (typeof shapes)[number]
type Taken = { ms: number; came: Shape }

type Arrivals = typeof globalThis & { arrivals?: Record<string, number> }

/**
 * Notes when the first frame was there of each address with its heading, in ms since 1970, in every document. An address may
 * change some frames before its page is drawn: a heading that was there before is the page's before it.
 */
function noteArrivals(): void {
  const arrivals: Record<string, number> = {}
  ;(window as Arrivals).arrivals = arrivals
  let before = ''
  const look = (): void => {
    const heading = document.querySelector('main h1')?.textContent ?? ''
    if (heading !== '' && heading !== before) arrivals[window.location.pathname] ??= Date.now()
    before = heading
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}

/** What a page may do with a touch is left to the browser, which follows the link as if the shop had no script. */
function followAsDocuments(): void {
  const own = ['pointerdown', 'mousedown', 'touchstart', 'mouseover', 'focusin', 'click']
  for (const type of own) window.addEventListener(type, (event) => event.stopImmediatePropagation(), true)
}

function fetchFromThePress(): void {
  const rules = document.createElement('script')
  rules.type = 'speculationrules'
  const prefetch = [{ where: { href_matches: '/*' }, eagerness: 'conservative' }]
  rules.textContent = JSON.stringify({ prefetch })
  document.head.append(rules)
}

/** Opens `from`, waits until nothing is fetched any more, touches the link, and measures until the heading is there. */
async function go(browser: Browser, url: string, way: Way, network: Network, shape: Shape): Promise<Taken> {
  const now = { ...AT_ONCE }
  await using proxy = await slowLine(now)
  await using context = await browser.newContext({
    ...{ viewport: { width: 390, height: 844 }, locale: 'en-AU', isMobile: true, hasTouch: true },
    ...{ proxy: { server: proxy.url }, bypassCSP: true }, // rules are inline script
  })
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  await page.addInitScript(noteArrivals)
  await page.goto(url + way.from)
  await page.waitForFunction(() => performance.getEntriesByName('hydrated').length > 0)
  if (shape !== 'click') await page.evaluate(followAsDocuments)
  if (shape === 'document, from the press') await page.evaluate(fetchFromThePress)
  const link = page.locator(`a[href="${way.to}"]`).filter({ visible: true }).first()
  await link.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }))
  await page.waitForLoadState('networkidle')
  Object.assign(now, network)
  const box = await link.boundingBox()
  if (box === null) throw new Error(`no link to ${way.to} on ${way.from}`)
  const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }]
  const devtools = await context.newCDPSession(page)
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
  await page.waitForTimeout(TOUCH_MS)
  const began = Date.now()
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  const arrived = await page.waitForFunction((path) => (window as Arrivals).arrivals?.[path], way.to)
  const at = await arrived.jsonValue()
  const came = await cameAs(page)
  if ((came === 'click') !== (shape === 'click')) throw new Error(`${way.name}: ${came} instead of ${shape}`)
  return { ms: (at ?? 0) - began, came }
}

/** How the page came: a browser decides by itself whether it uses what it fetched from the press. */
const cameAs = (page: Page): Promise<Shape> =>
  page.evaluate(() => {
    const [loaded] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    if (new URL(loaded?.name ?? '').pathname !== window.location.pathname) return 'click'
    const { deliveryType } = loaded as PerformanceNavigationTiming & { deliveryType?: string }
    return deliveryType === 'navigational-prefetch' ? 'document, from the press' : 'document'
  })

const [most = '5', ...asked] = process.argv.slice(2)
endSmoke()
await using shop = await startShop({ ANCHOR_INTERVAL_S: '1' })
await untilIdle(shop)
/** Where the first link of a page leads whose address begins like this. */
async function firstLink(path: string, start: string): Promise<string> {
  const html = await (await fetch(shop.url + path)).text()
  const found = new RegExp(`href="(${start}[^"?#]+)"`).exec(html)?.[1]
  if (found === undefined) throw new Error(`${path} has no link to ${start}`)
  return found
}

const product = await firstLink('/product', '/product/')
const box = await firstLink(product, '/SFMBox/byId/')
const shown = await firstLink('/', '/SFMBox/byId/')
const ways: Way[] = [
  { name: 'about, from home', from: '/', to: '/about/tech' },
  { name: 'all products, from home', from: '/', to: '/product' },
  { name: 'a product, from the list', from: '/product', to: product },
  { name: 'its box, from a product', from: product, to: box },
  { name: 'a box, from home', from: '/', to: shown },
  { name: 'home, from a box', from: box, to: '/' },
  { name: 'the cart, from a product', from: product, to: '/cart' },
]
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: FLAGS,
})
tableHead('to', 'network', ...shapes.map((shape) => `${shape}, ms`), 'fetched from the press', 'ratios')
for (const [name, network] of Object.entries(networks))
  for (const way of ways.filter(
    ({ name }) => asked.length === 0 || asked.some((part) => name.includes(part)),
  )) {
    const taken = new Map<Shape, Taken[]>(shapes.map((shape) => [shape, []]))
    for (let i = 0; i < Number(most); i++)
      for (const [shape, all] of taken) all.push(await go(browser, shop.url, way, network, shape))
    const p75 = [...taken.values()].map((all) =>
      percentile(
        all.map(({ ms }) => ms),
        0.75,
      ),
    )
    const [click = 0, ...documents] = p75
    const fetched = [...taken.values()]
      .flat()
      .filter(({ came }) => came === 'document, from the press').length
    const ratios = documents.map((ms) => (click / ms).toFixed(2)).join(', ')
    row(way.name, name, ...p75.map(Math.round), `${fetched} of ${most}`, ratios)
  }
await browser.close()
