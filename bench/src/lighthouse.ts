import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'
import { databasesNamed } from './databases.ts'
import { addToSample } from './products.ts'
import { startShop, untilIdle } from './shop.ts'
import { endSmoke } from './sized.ts'

/**
 * Lighthouse on a phone's settings for every page that a visitor who is not logged in can open. Budget: 99 for
 * performance, 100 for the rest; pages that are not to be found by search engines can't have that for it.
 * `node bench/src/lighthouse.ts [products beside the sample's] [path …]`
 */
const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
]
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo']
const ABOUT = [
  ...['us', 'project', 'tech', 'delivery', 'contact', 'returns', 'privacy', 'terms', 'food-safety'],
  'accessibility',
]
const [more = '0', ...only] = process.argv.slice(2)
const env = { ANCHOR_INTERVAL_S: '1' }

endSmoke()
const [embedded] = databasesNamed(['embedded'])
if (embedded === undefined) throw new Error('There is no embedded database.')
await using place = await embedded()
if (Number(more) > 0) await addToSample(place, env, Number(more))
await using shop = await startShop(env, place.dataDir)
await untilIdle(shop)
const products = (await (await fetch(`${shop.url}/api/product/active`)).json()) as {
  _id: string
  shelfPos: string
}[]
const product = products.find(({ _id, shelfPos }) => !_id.startsWith('bench') && !shelfPos.startsWith('0'))
const paths = [
  ...['/', '/category', '/category/Fish', '/product', '/product?q=snaper', `/product/${product?._id}`],
  ...[
    '/favourites',
    '/cart',
    '/checkout',
    '/SFMBox/byId',
    '/SFMBox/byId/0345579444',
    '/SFMBox/check',
    '/lab',
  ],
  ...['/user/signin', '/user/signup', '/user/forgotpassword'],
  ...ABOUT.map((page) => `/about/${page}`),
]
const chrome = await launch({ chromePath: process.env.CHROMIUM ?? '/usr/bin/chromium', chromeFlags: FLAGS })
// The index is of the processor: a page's blocking, and with it its performance, follows that from run to run.
const heads = [...CATEGORIES, 'largest paint', 'layout shift', 'blocking', 'index', 'not passed']
console.log(`| page | ${heads.join(' | ')} |\n|---${'|---'.repeat(heads.length)}|`)
// The first page that a browser opens pays for its start.
for (const path of ['/about/us', ...(only.length > 0 ? only : paths)]) {
  const result = await lighthouse(shop.url + path, { port: chrome.port, onlyCategories: CATEGORIES })
  if (result === undefined) throw new Error(`Lighthouse answers nothing for ${path}.`)
  const { categories, audits, environment } = result.lhr
  const scores = CATEGORIES.map((name) => Math.round((categories[name]?.score ?? 0) * 100))
  const timings = ['largest-contentful-paint', 'cumulative-layout-shift', 'total-blocking-time']
  const failed = CATEGORIES.filter((name) => name !== 'performance').flatMap((name) =>
    (categories[name]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => id),
  )
  const told = timings.map((audit) => audits[audit]?.displayValue ?? '?')
  const figures = [...scores, ...told, Math.round(environment.benchmarkIndex), failed.join(', ')]
  console.log(`| ${path.replace(product?._id ?? '?', '{id}')} | ${figures.join(' | ')} |`)
}
chrome.kill()
