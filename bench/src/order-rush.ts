/**
 * Buyers who all come at once, for less stock than they want: `node bench/src/order-rush.ts [buyers] [embedded]
 * [postgres] [killed]`, after `npm run build`. 10,000 buyers for 50 in stock unless told otherwise, with one web process
 * on each database and with two on PostgreSQL. `killed`: stock for half of them, while web processes and the database are
 * killed, three times each. Throws when anything was sold twice, lost, not told or not mailed.
 */

import { setTimeout as wait } from 'node:timers/promises'
import { inspect } from 'node:util'
import { HOUR_MS } from '@befaqt/domain/durations'
import type { Database } from '../../server/src/db/client.ts'
import { slots } from '../../server/src/db/schema/orders.ts'
import { categories, products } from '../../server/src/db/schema/shop.ts'
import { type BenchDatabase, databasesNamed } from './databases.ts'
import { row, tableHead } from './load-table.ts'
import { buy, type Told } from './order-rush/buyers.ts'
import { checkEmails, checkOrders } from './order-rush/check.ts'
import { type Shops, startShops } from './order-rush/shops.ts'
import { sized } from './sized.ts'

const KILLS = 3

const words = process.argv.slice(2)
const buyers = Number(words.find((word) => /^\d+$/.test(word)) ?? sized(10_000, 20))
const isKilled = words.includes('killed')
const stock = isKilled ? Math.ceil(buyers / 2) : sized(50, 5)

async function seed({ db }: Database): Promise<void> {
  const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS)
  await db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  await db
    .insert(products)
    .values({ id: 'snapper', title: 'Snapper', categoryId: 'c', priceCents: 3_000, stock })
  await db.insert(slots).values({
    ...{ id: 'slot', kind: 'pickup', capacity: 10_000, timeZone: 'UTC' },
    ...{ startsAt: at(20), endsAt: at(22), cutOffAt: at(19) },
  })
}

/** Kills processes while buyers are being told, evenly over the sale. Returns how many it killed. */
async function kill({ webs }: Shops, place: BenchDatabase, told: () => number): Promise<number> {
  const parts = webs.map((web) => ({ crash: web.kill, restart: () => web.start() }))
  const { crash, restart } = place
  if (crash !== undefined && restart !== undefined) parts.push({ crash, restart })
  const all = Array.from({ length: KILLS }, () => parts).flat()
  let killed = 0
  for (const part of all) {
    while (told() <= (stock * killed) / all.length) await wait(5)
    killed++
    await part.crash()
    await wait(500)
    await part.restart()
  }
  return killed
}

/** Waits until all emails were sent. */
async function untilMailed(shops: Shops): Promise<string[]> {
  for (;;) {
    const metrics = await (await fetch(`${shops.webs[0]?.url}/metrics`)).text()
    if (/^befaqt_jobs_oldest_due_seconds 0$/m.test(metrics)) return shops.subjects()
    await wait(500)
  }
}

async function rush(place: BenchDatabase, processes: number): Promise<void> {
  const seeding = await place.open()
  await seed(seeding)
  await seeding.close()
  let told: Told[]
  let subjects: string[]
  let killed = 0
  let seconds: number
  {
    await using shops = await startShops(place, processes)
    const urls = shops.webs.map(({ url }) => url)
    const began = performance.now()
    let sold = 0
    const all = Promise.all(
      Array.from({ length: buyers }, async (_, i) => {
        const one = await buy(urls, {
          buyer: i,
          product: 'snapper',
          slot: 'slot',
          holds: !isKilled && i % 3 === 0,
        })
        if (one.number !== undefined) sold++
        return one
      }),
    )
    if (isKilled) killed = await kill(shops, place, () => sold)
    told = await all
    seconds = (performance.now() - began) / 1_000
    subjects = await untilMailed(shops)
    const died = shops.webs.flatMap(({ died = [] }) => died)
    if (died.length > 0) throw new Error([...died, ...shops.webs.flatMap(({ errors }) => errors)].join('\n'))
  }
  const database = await place.open()
  await checkOrders(database, told, stock)
  await database.close()
  const twice = checkEmails(subjects, told, !isKilled)
  const requests = told.reduce((sum, one) => sum + one.requests, 0)
  const sold = told.filter(({ number }) => number !== undefined).length
  row(place.name, processes, killed, buyers, sold, buyers - sold, twice, requests, seconds.toFixed(1))
}

tableHead(
  'on',
  'web processes',
  'killed',
  'buyers',
  'sold',
  'told there is none',
  'emails twice',
  'requests',
  's',
)
for (const open of databasesNamed(words, { crashes: isKilled }))
  for (const processes of [1, 2]) {
    await using place = await open()
    if (processes > 1 && place.name !== 'PostgreSQL') continue
    await rush(place, processes).catch((error: unknown) => {
      console.error(inspect(error, { depth: 4 })) // what failed may be hidden behind a process that is being killed
      process.exit(1)
    })
  }
process.exit(0)
