/**
 * Reports of a shop with 1,000,000 orders in seven years, 10,000 products and 100,000 customers, of four weeks, a year and
 * all of it, and how long their sums take to be made anew. `node bench/src/reports.ts [embedded] [postgres]`, after
 * `npm run build`.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { salesBy } from '../../domain/src/api/desk-api.ts'
import { daysLater } from '../../domain/src/slot-rules.ts'
import { budgetHead, checkBudget } from './budget.ts'
import { type BenchDatabase, databasesNamed } from './databases.ts'
import { load } from './load.ts'
import { SIZES, seededShop, seedSpreadShop } from './seed-orders.ts'
import { bearer, signIn } from './sign-in.ts'

/** Budget for the 95th percentile, one person at the desk. */
const BUDGET = { mostMs: 300 }

async function measure(place: BenchDatabase): Promise<void> {
  const { orders, products, customers } = SIZES
  console.log(`\n## ${orders} orders, ${products} products, ${customers} customers, ${place.name}`)
  await using shop = await seededShop(place, (database) => seedSpreadShop(database, SIZES))
  const token = bearer(await signIn(shop))
  const read = async (query: Record<string, string>) =>
    (
      await fetch(`${shop.url}/api/manage/report/sales?${new URLSearchParams(query)}`, { headers: token })
    ).json()
  const began = performance.now()
  while (!(await read({})).isMade) await sleep(500)
  console.log(`The sums were made anew in ${Math.round((performance.now() - began) / 1_000)} s.`)
  budgetHead('report', 'days', 'what')
  const { range } = await read({})
  for (const days of [28, 364, 3_660])
    for (const by of salesBy) {
      const query = new URLSearchParams({ by, from: daysLater(range.to, 1 - days), to: range.to })
      const { p95Ms, failed } = await load(`${shop.url}/api/manage/report/sales?${query}`, token, 1)
      if (failed > 0) throw new Error(`${by}: not every answer was 200`)
      checkBudget([by, days, 'p95 ms'], p95Ms, BUDGET)
    }
}

for (const open of databasesNamed(process.argv.slice(2))) {
  await using place = await open()
  await measure(place)
}
process.exit(0)
