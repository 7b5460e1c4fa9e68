import { type Browser, chromium, type Page } from 'playwright-core'
import { row, tableHead } from './load-table.ts'
import { percentile } from './percentile.ts'
import { startShop, untilIdle } from './shop.ts'
import { endSmoke } from './sized.ts'

/**
 * A click on a link inside the shop beside loading the same page as a document, both from a page that has settled: from
 * the press to the heading of the next page. Budget: a click takes no longer. `node bench/src/clicks.ts [times]`
 */
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking']
const PHONE = { viewport: { width: 390, height: 844 }, locale: 'en-AU' }
const WAIT_MS = 120_000

/** Latency in ms before each answer, throughput in bytes per second. */
const networks = [
  { name: '300 ms, 200 KB/s', latency: 300, downloadThroughput: 200_000, uploadThroughput: 200_000 },
  { name: '60 ms, 10 Mbit/s', latency: 60, downloadThroughput: 1_250_000, uploadThroughput: 1_250_000 },
]
type Network = (typeof networks)[number]

type Way = { name: string; from: string; to: string; link: string }
type Taken = { ms: number; requests: number; bytes: number }

/** Opens `from`, waits until nothing is fetched any more, goes on to `to`, and measures until its heading is there. */
async function go(
  browser: Browser,
  url: string,
  way: Way,
  network: Network,
  asDocument: boolean,
): Promise<Taken> {
  await using context = await browser.newContext(PHONE)
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  await page.goto(url + way.from)
  await page.waitForFunction(() => performance.getEntriesByName('hydrated').length > 0)
  await page.locator(way.link).first().scrollIntoViewIfNeeded()
  await page.waitForLoadState('networkidle')
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', { offline: false, ...network })
  const taken = { requests: 0, bytes: 0 }
  devtools.on('Network.requestWillBeSent', () => {
    taken.requests += 1
  })
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    taken.bytes += encodedDataLength
  })
  const arrived = untilHeading(page, way)
  const began = performance.now()
  await (asDocument
    ? page.evaluate((target) => window.location.assign(target), way.to)
    : page.locator(way.link).first().dispatchEvent('click'))
  await arrived
  return { ms: performance.now() - began, ...taken }
}

const untilHeading = (page: Page, { to }: Way): Promise<unknown> =>
  page.waitForFunction(
    (path) => window.location.pathname === path && document.querySelector('main h1') !== null,
    to,
    { polling: 'raf' },
  )

const times = Number(process.argv[2] ?? 5)
endSmoke()
await using shop = await startShop({ ANCHOR_INTERVAL_S: '1' })
await untilIdle(shop)
const products = (await (await fetch(`${shop.url}/api/product/active`)).json()) as {
  _id: string
  shelfPos: string
}[]
const product = `/product/${products.find(({ shelfPos }) => !shelfPos.startsWith('0'))?._id}`
const linkTo = (path: string): string => `main a[href="${path}"], footer a[href="${path}"]`
const box = '/SFMBox/byId/0345579444'
const ways: Way[] = [
  { name: 'about, from home', from: '/', to: '/about/tech', link: linkTo('/about/tech') },
  { name: 'a product, from the list', from: '/product', to: product, link: linkTo(product) },
  { name: 'a box, from home', from: '/', to: box, link: linkTo(box) },
]
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: FLAGS,
})
tableHead('to', 'network', 'click, ms', 'document, ms', 'ratio', 'requests of the click', 'KB of the click')
for (const network of networks)
  for (const way of ways) {
    const clicks: Taken[] = []
    const documents: Taken[] = []
    for (let i = 0; i < times; i++) {
      clicks.push(await go(browser, shop.url, way, network, false))
      documents.push(await go(browser, shop.url, way, network, true))
    }
    const median = (all: Taken[]): number =>
      percentile(
        all.map(({ ms }) => ms),
        0.5,
      )
    const [inPage, whole] = [median(clicks), median(documents)]
    const last = clicks.at(-1)
    row(
      way.name,
      network.name,
      Math.round(inPage),
      Math.round(whole),
      (inPage / whole).toFixed(2),
      last?.requests ?? 0,
      Math.round((last?.bytes ?? 0) / 1000),
    )
  }
await browser.close()
