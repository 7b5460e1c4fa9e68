import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'
import { startShop, untilIdle } from './shop.ts'
import { endSmoke } from './sized.ts'

/** Lighthouse on a phone's settings for the pages that have a budget. `node bench/src/lighthouse.ts` */
const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
]
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']

endSmoke()
await using shop = await startShop({ ANCHOR_INTERVAL_S: '1' })
await untilIdle(shop)
const products = (await (await fetch(`${shop.url}/api/product/active`)).json()) as {
  _id: string
  shelfPos: string
}[]
const product = products.find(({ shelfPos }) => !shelfPos.startsWith('0'))?._id ?? ''
const chrome = await launch({ chromePath: process.env.CHROMIUM ?? '/usr/bin/chromium', chromeFlags: FLAGS })
// The index is of the processor: a page's blocking, and with it its performance, follows that from run to run.
console.log(
  `| page | ${CATEGORIES.join(' | ')} | layout shift | blocking | index |\n|---|---|---|---|---|---|---|---|`,
)
for (const path of ['/', '/category/Fish', `/product/${product}`, '/cart', '/SFMBox/byId/0345579444']) {
  const result = await lighthouse(shop.url + path, { port: chrome.port, onlyCategories: CATEGORIES })
  const scores = CATEGORIES.map((name) => Math.round((result?.lhr.categories[name]?.score ?? 0) * 100))
  const told = (audit: string) => result?.lhr.audits[audit]?.displayValue ?? '?'
  const index = Math.round(result?.lhr.environment.benchmarkIndex ?? 0)
  const figures = [...scores, told('cumulative-layout-shift'), told('total-blocking-time'), index]
  console.log(`| ${path.replace(product, '{id}')} | ${figures.join(' | ')} |`)
}
chrome.kill()
