/**
 * The managers' queue of a shop with 100,000 orders, 1,000 of them open. `node bench/src/order-queue.ts [embedded]
 * [postgres]`, after `npm run build`.
 */
import { budgetHead, checkBudget } from './budget.ts'
import { type BenchDatabase, databasesNamed } from './databases.ts'
import { load } from './load.ts'
import { seededShop, seedOrders } from './seed-orders.ts'
import { bearer, signIn } from './sign-in.ts'
import { sized } from './sized.ts'

const ORDERS = sized(100_000, 300)
/** Budget for the 95th percentile with a single manager. */
const ALONE = { mostMs: 50 }
/** The same for a page that the server renders. */
const PAGE = { mostMs: 100 }

const lists = [
  ['open orders, by slot', 'status=open&sort=slot'],
  ['all orders, by slot', 'sort=slot'],
  ['all orders, the newest first', 'page=1'],
  ['the last page that is counted off', 'page=200&sort=slot'],
  ['the last orders', 'before=end&sort=slot'],
  ['one slot', `slot=00000000-0000-4000-8000-000000000000`],
  ['search of a number', 'q=BF-2026-054321'],
  ['search of a name', 'q=lee77'],
  ['search of one letter', 'q=e&status=open&sort=slot'],
] as const

async function measure(place: BenchDatabase): Promise<void> {
  console.log(`\n## ${ORDERS} orders, ${place.name}`)
  await using shop = await seededShop(place, (database) =>
    seedOrders(database, { orders: ORDERS, open: sized(1_000, 30), slots: sized(1_000, 20) }),
  )
  const token = await signIn(shop)
  budgetHead('queue', 'what')
  for (const [name, query] of lists) {
    const { p95Ms, failed } = await load(`${shop.url}/api/order/all?${query}`, bearer(shop.key), 1)
    if (failed > 0) throw new Error(`${name}: not every answer was 200`)
    checkBudget([name, 'p95 ms'], p95Ms, ALONE)
  }
  const day = await load(`${shop.url}/api/order/day`, bearer(shop.key), 1)
  checkBudget(['metrics of the day', 'p95 ms'], day.p95Ms, ALONE)
  const page = await load(`${shop.url}/manage/order`, bearer(token), 1)
  checkBudget(['the page /manage/order', 'p95 ms'], page.p95Ms, PAGE)
}

for (const open of databasesNamed(process.argv.slice(2))) {
  await using place = await open()
  await measure(place)
}
process.exit(0)
