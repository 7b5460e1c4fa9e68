import { baseline } from './baseline.ts'
import { budgetHead, checkBudget } from './budget.ts'
import { load } from './load.ts'
import { ms } from './load-table.ts'
import { PRODUCTS } from './products.ts'
import type { Shop } from './shop.ts'
import { bearer } from './sign-in.ts'

/** Budget for the 95th percentile with a single manager. */
const ALONE = { mostMs: 50 }
/** Budget for requests a second of many managers. */
const TOGETHER = { leastPerSecond: 100 }
const MANAGERS = 20
/** A page that the server renders for one manager. */
const PAGE = { mostMs: 100 }

const LAST = PRODUCTS / 50

const lists = [
  ['first page', 'page=1'],
  ['last page by price', `page=${LAST}&sort=price`],
  ['page in the middle by price, down', `page=${LAST / 2}&sort=price&dir=desc`],
  ['search', 'q=no%20123'],
  ['search of one letter', 'q=e&sort=updated'],
  ['status and category', (category: string) => `status=ACTIVE&category=${category}`],
] as const

/** Prints the latency of product lists, for one manager and for many, beside a bare server sending as many bytes. */
export async function measureLists(shop: Shop, token: string): Promise<void> {
  const key = bearer(shop.key)
  const [category] = (await (await fetch(`${shop.url}/api/category`, { headers: key })).json()) as {
    _id: string
  }[]
  budgetHead('list of products', 'connections', 'what', 'a bare server')
  for (const [name, query] of lists) {
    const asked = typeof query === 'string' ? query : query(category?._id ?? '')
    await measure(name, `${shop.url}/api/product?${asked}`, key)
  }
  const page = await load(`${shop.url}/manage/product`, bearer(token), 1)
  await using bare = await baseline(page.bytes)
  const best = await load(bare.url, {}, 1)
  checkBudget(['the page /manage/product', 1, 'p95 ms', ms(best.p95Ms)], page.p95Ms, PAGE)
}

async function measure(name: string, url: string, headers: Record<string, string>): Promise<void> {
  const alone = await load(url, headers, 1)
  const together = await load(url, headers, MANAGERS)
  if (alone.failed + together.failed > 0) throw new Error(`${url}: not every answer was 200`)
  await using bare = await baseline(alone.bytes)
  const bestAlone = await load(bare.url, {}, 1)
  const best = await load(bare.url, {}, MANAGERS)
  checkBudget([name, 1, 'p95 ms', ms(bestAlone.p95Ms)], alone.p95Ms, ALONE)
  checkBudget([name, MANAGERS, 'requests/s', Math.round(best.perSecond)], together.perSecond, TOGETHER)
}
