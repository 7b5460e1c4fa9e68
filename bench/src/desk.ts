/**
 * The desk of a shop with 1,000,000 orders, 10,000 products and 100,000 customers: what Ctrl+K finds, Today, and what
 * waits. `node bench/src/desk.ts [embedded] [postgres]`, after `npm run build`.
 */
import { budgetHead, checkBudget } from './budget.ts'
import { type BenchDatabase, databasesNamed } from './databases.ts'
import { load } from './load.ts'
import { SIZES, seededShop, seedShop } from './seed-orders.ts'
import { bearer, signIn } from './sign-in.ts'

const { orders: ORDERS, products: PRODUCTS, customers: CUSTOMERS } = SIZES
/** Budget for the 95th percentile, one person at the desk. */
const FOUND = { mostMs: 50 }
const READ = { mostMs: 100 }

const asked = [
  ['number of an order', `BF-2026-${ORDERS / 2}`],
  ['end of a number', `${ORDERS / 2}`],
  ['a name', 'lee77'],
  ['two words', 'ann4 lee123'],
  ['an address', 'buyer4711@'],
  ['a product', 'bream no 41'],
  ['a word of many', 'lee'],
  ['one letter', 'e'],
  ['nothing', 'zzzyyxx'],
] as const

async function measure(place: BenchDatabase): Promise<void> {
  console.log(`\n## ${ORDERS} orders, ${PRODUCTS} products, ${CUSTOMERS} customers, ${place.name}`)
  await using shop = await seededShop(place, (database) => seedShop(database, SIZES))
  const token = bearer(await signIn(shop))
  budgetHead('desk', 'what')
  const check = async (name: string, path: string, budget: { mostMs: number }): Promise<void> => {
    const { p95Ms, failed } = await load(`${shop.url}${path}`, token, 1)
    if (failed > 0) throw new Error(`${name}: not every answer was 200`)
    checkBudget([name, 'p95 ms'], p95Ms, budget)
  }
  for (const [name, q] of asked)
    await check(`found: ${name}`, `/api/manage/desk/found?${new URLSearchParams({ q })}`, FOUND)
  await check('what waits', '/api/manage/desk/waiting', FOUND)
  await check('Today, its data', '/api/manage/desk/today', READ)
  await check('Today, the page', '/manage', READ)
}

for (const open of databasesNamed(process.argv.slice(2))) {
  await using place = await open()
  await measure(place)
}
process.exit(0)
