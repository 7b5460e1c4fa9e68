/**
 * What searches take in a shop of 10,000 products, as people type them, on both kinds of database:
 * `node bench/src/typed-searches.ts`, after `npm run build`. One visitor types one search after the other; each answer is a
 * window of 48 products with what it can be narrowed by, and none was asked for before. Budget: p95 20 ms.
 */
import { SHELF_WINDOW } from '../../domain/src/limits.ts'
import { YES } from '../../domain/src/shelf-choices.ts'
import { typedSearches } from '../../server/src/testing/typed-searches.ts'
import { budgetHead, checkBudget } from './budget.ts'
import { databases } from './databases.ts'
import { ms, row, tableHead } from './load-table.ts'
import { percentile } from './percentile.ts'
import { addToSample, PRODUCTS } from './products.ts'
import { startShop, untilIdle } from './shop.ts'
import { endSmoke } from './sized.ts'

/** An answer is kept by its address: other sizes of a window are other answers. */
const TIMES = 3
const env = { ANCHOR_INTERVAL_S: '86400' }

endSmoke()
for (const open of databases) {
  await using place = await open()
  await addToSample(place, env, PRODUCTS)
  await using shop = await startShop({ ...env, ...place.env }, place.dataDir)
  await untilIdle(shop)
  const ask = async (typed: string, size: number): Promise<number> => {
    const query = new URLSearchParams({ q: typed, size: `${size}`, facets: YES })
    const began = performance.now()
    const answer = await fetch(`${shop.url}/api/product/onSale?${query}`)
    const { rows } = (await answer.json()) as { rows: object[] }
    if (rows.length === 0) throw new Error(`${typed}: nothing found`)
    return performance.now() - began
  }
  await ask('snapper', 1) // the index is made by the first search
  const taken: { typed: string; time: number }[] = []
  for (let turn = 0; turn < TIMES; turn++)
    for (const [typed] of typedSearches) taken.push({ typed, time: await ask(typed, SHELF_WINDOW - turn) })
  const times = taken.map(({ time }) => time)
  console.log(`\n## ${taken.length} searches among ${PRODUCTS} products, ${place.name}`)
  tableHead('slowest', 'ms')
  for (const { typed, time } of taken.toSorted((a, b) => b.time - a.time).slice(0, 5)) row(typed, ms(time))
  console.log(`\nMiddle ${ms(percentile(times, 0.5))} ms.`)
  budgetHead('typed searches')
  checkBudget(['p95'], percentile(times, 0.95), { mostMs: 20 })
}
process.exit(0)
