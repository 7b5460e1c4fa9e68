import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { boxPath, sampleBox, unchanged, verdictInHead, waitUntilAnchored } from '../support/box-page.ts'
import { untilHydrated, visit } from '../support/browser.ts'
import { admin, startServer } from '../support/server.ts'
import { startForFile } from '../support/start.ts'
import { eventually } from '../support/within.ts'

/** Bytes of script, compressed. */
const PAGE_MOST = 115_000
const BOX_PAGE_MORE = 53_000
/** With all that is fetched when one opens it, so that it goes on without a network: weights and log, too. */
const LAB_MOST = 156_000
/** Of a worker, beside the page. */
const VERIFIER_MOST = 27_000

const server = await startForFile(startServer())
let product: string
/** Of a fish that one can have prepared. */
let prepared: string
before(async () => {
  const products: { _id: string; shelfPos: string; title: string }[] = await (
    await fetch(`${server.url}/api/product/active`)
  ).json()
  product = `/product/${products.find(({ shelfPos }) => !shelfPos.startsWith('0'))?._id}`
  prepared = `/product/${products.find(({ title }) => title === 'Snapper, whole')?._id}`
})

/** Bytes of a response as sent to a browser that accepts Brotli. */
async function sentBytes(path: string): Promise<number> {
  const answer = await fetch(new URL(path, server.url), { headers: { 'accept-encoding': 'br' } })
  assert.equal(answer.headers.get('content-encoding'), 'br', path)
  await answer.arrayBuffer()
  return Number(answer.headers.get('content-length'))
}

const sum = async (paths: Iterable<string>): Promise<number> =>
  (await Promise.all([...paths].map(sentBytes))).reduce((total, bytes) => total + bytes, 0)

/** A script with all that it names, and that these name: what a worker may fetch, which the page's own scripts don't. */
async function named(path: string, seen = new Set<string>()): Promise<Set<string>> {
  if (seen.has(path)) return seen
  seen.add(path)
  const text = await (await fetch(new URL(path, server.url))).text()
  for (const [, name] of text.matchAll(/"\.\/([\w-]+\.js)"/g)) await named(`/assets/${name}`, seen)
  return seen
}

/** Every page that is not for managers or stations, each kind once. The box page has a limit of its own, below. */
const pages = [
  '/',
  '/about/delivery',
  '/category',
  '/category/Fish',
  '/product',
  '/SFMBox/byId',
  '/SFMBox/check',
  '/lab',
  '/cart',
  '/checkout',
  '/favourites',
  '/user/signin',
  '/user/signup',
  '/user/activate/x',
  '/user/firstadmin/x',
  '/user/restore/x',
  '/user/forgotpassword',
  '/user/resetpassword/x',
  '/user/email/x',
  '/user/staff/x',
  '/user/profile',
  '/user/order',
  '/user/notice/stop/x',
  '/nowhere',
]

/** An order of its own, with all that its page shows before it is packed. */
async function orderedPage(): Promise<string> {
  const [slot] = await (await fetch(`${server.url}/api/slot?kind=pickup`)).json()
  const contact = { fname: 'Ann', lname: 'Lee', email: 'ann@shop.example', phone: '0412 345 678' }
  const lines = [{ product_id: product.replace('/product/', ''), quantity: 1 }]
  const response = await fetch(`${server.url}/api/order`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'first-visit' },
    body: JSON.stringify({ lines, contact, fulfilment: { kind: 'pickup', slot: slot._id } }),
  })
  const { link } = await response.json()
  const { pathname, search } = new URL(link)
  return pathname + search
}

test('the list of pages is complete', () => {
  const files = readdirSync(join(import.meta.dirname, '../../web/src/routes'))
  assert.equal(files.filter((file) => !/^(manage|station)/.test(file)).length, pages.length + 3)
})

test('no public or account page sends more than 115 KB of script to a new visitor', async () => {
  const response = await fetch(`${server.url}/api/user/signIn`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(admin),
  })
  const { token } = await response.json()
  for (const path of [...pages, product, await orderedPage()]) {
    const isOwn = path === '/user/profile' || path === '/user/order'
    const headers: Record<string, string> = isOwn ? { authorization: `Bearer ${token}` } : {}
    const html = await (await fetch(server.url + path, { headers, redirect: 'error' })).text()
    const bytes = await sum(new Set(html.match(/\/assets\/[\w.-]+?\.js\b/g)))
    assert.ok(bytes > 50_000 && bytes <= PAGE_MOST, `${path}: ${bytes}`)
  }
})

test('the box page sends at most 53 KB more, with map and chart, and a verifier of 27 KB', async () => {
  await using at = await visit(server.url)
  const { page } = at
  await waitUntilAnchored(page, sampleBox)
  await page.goto('about:blank') // what home fetches later is none of it
  const scripts = new Set<string>()
  const arrived = new Set<string>()
  const note = (into: Set<string>) => (request: Request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js')) into.add(pathname)
  }
  page.on('request', note(scripts))
  page.on('requestfinished', note(arrived))
  await page.goto(boxPath(sampleBox))
  assert.match(await verdictInHead(page), unchanged)
  await page.getByRole('region', { name: 'Map of the journey' }).scrollIntoViewIfNeeded()
  await page.locator('.reading-dot').first().waitFor()
  assert.ok([...scripts].some((path) => path.includes('leaflet-map')))
  assert.ok([...scripts].some((path) => path.includes('check-worker')))
  await eventually(async () => [...scripts].filter((path) => !arrived.has(path)), [])
  const verifier = await named([...scripts].find((path) => path.includes('check-worker')) ?? '')
  assert.ok(verifier.size > 1, 'what the worker imports is in files of its own')
  const [all, worker] = [await sum(scripts), await sum([...scripts].filter((path) => verifier.has(path)))]
  assert.ok(worker > 10_000 && worker <= VERIFIER_MOST, `verifier: ${worker}`)
  assert.ok(all - worker <= PAGE_MOST + BOX_PAGE_MORE, `page: ${all - worker}`)
})

test('the lab sends at most 156 KB, with its bench and all of the verifier that its box needs', async () => {
  await using at = await visit(server.url)
  const { page } = at
  await waitUntilAnchored(page, sampleBox)
  await page.goto('about:blank') // as above
  const scripts = new Set<string>()
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js')) scripts.add(pathname)
  })
  await page.goto('/lab')
  await page.getByRole('region', { name: 'Verdict' }).waitFor()
  assert.ok([...scripts].some((path) => path.includes('lab-worker')))
  const ofSignatures = [...scripts].filter((path) => /check-signatures|cose-statement/.test(path))
  assert.deepEqual(ofSignatures, [], 'nothing of the sample is signed')
  const bytes = await sum(scripts)
  assert.ok(bytes <= LAB_MOST, `lab: ${bytes}`)
})

test('the script of a page waits until its pictures can be drawn, and for none that cannot', async () => {
  await using at = await visit(server.url)
  const { page } = at
  await page.addInitScript(() => {
    const happened: string[] = []
    const waiting: (() => void)[] = []
    const { setTimeout: later } = window
    Object.assign(window, {
      happened,
      drawn: () => waiting.map((go) => go()),
      // Without the limit of two seconds, which a slow machine can reach first.
      setTimeout: (call: () => void, ms?: number) => (ms === 2000 ? 0 : later(call, ms)),
    })
    HTMLImageElement.prototype.decode = function decode() {
      happened.push(this.loading)
      return new Promise((_, fail) => waiting.push(() => fail(new Error('cannot be drawn'))))
    }
  })
  await page.goto('/product?q=snapper')
  await page.waitForFunction(() => 'happened' in window && (window.happened as string[]).length > 0)
  await page.evaluate(async () => {
    for (let frame = 0; frame < 5; frame++)
      await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))
  })
  assert.equal(await page.locator('link[rel=modulepreload]').count(), 0)
  const asked = await page.evaluate(() => ('happened' in window ? window.happened : null))
  assert.ok(Array.isArray(asked) && !asked.includes('lazy'), 'what is below the fold is not waited for')
  await page.evaluate(() => 'drawn' in window && (window.drawn as () => void)())
  await untilHydrated(page)
})

const settled: [name: string, path: () => string, done: (page: Page) => Promise<unknown>][] = [
  ['home', () => '/', (page) => page.waitForLoadState('networkidle')],
  ['a product', () => product, untilHydrated],
  [
    'a fish that one can have prepared',
    () => prepared,
    async (page) => {
      await page.getByRole('radio', { name: 'Fillets' }).first().click({ trial: true })
      await page.waitForLoadState('networkidle')
    },
  ],
  ['the cart', () => '/cart', (page) => page.getByText('Cart is empty').waitFor()],
  ['the checkout', () => '/checkout', (page) => page.getByText('There is nothing to order.').waitFor()],
  ['a box', () => boxPath(sampleBox), verdictInHead],
]

for (const [name, path, done] of settled)
  test(`${name} has no layout shift while it loads and hydrates`, async () => {
    for (const width of [390, 1280]) {
      await using at = await visit(server.url, { viewport: { width, height: 844 } })
      at.expectProblem(/woff2|ERR_FAILED|Failed to load/)
      const { page } = at
      // When a font arrives varies, and its letters are not exactly as wide as those of its fallback.
      await page.route('**/*.woff2', (route) => route.abort())
      // What the server sent stays, however late the script of its part comes.
      await page.route('**/preparation-choice*', async (route) => {
        await untilHydrated(page)
        await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))))
        await route.continue()
      })
      await page.addInitScript(() => {
        const moved: string[] = []
        Object.assign(window, { moved })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) moved.push(JSON.stringify(entry))
        }).observe({ type: 'layout-shift', buffered: true })
      })
      await page.goto(path())
      await done(page)
      const moved = await page.evaluate(async () => {
        await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
        return 'moved' in window ? window.moved : null
      })
      assert.deepEqual(moved, [], `${width} px wide`)
    }
  })
