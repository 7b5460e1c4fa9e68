/**
 * Orders a second from 20 connections on PostgreSQL, when all want the same product and when each wants its own; and 20
 * buyers at once for five in stock; and how long the times that are open take, beside 4,000 that are past:
 * `node bench/src/orders.ts`, after `npm run build`.
 */

import { HOUR_MS } from '@befaqt/domain/durations'
import type { Database } from '../../server/src/db/client.ts'
import { slots } from '../../server/src/db/schema/orders.ts'
import { products } from '../../server/src/db/schema/shop.ts'
import { databasesNamed } from './databases.ts'
import { loadPosts } from './load.ts'
import { loadRow, loadTableHead, ms } from './load-table.ts'
import { nextBuyer, nextOrder, seedWanted, wanted } from './next-order.ts'
import { buy } from './order-rush/buyers.ts'
import { startShops } from './order-rush/shops.ts'
import { percentile } from './percentile.ts'
import { sized } from './sized.ts'

const CONNECTIONS = 20
const SCARCE = 5
const ROUNDS = sized(20, 1)
const PAST_SLOTS = sized(4_000, 40)
const READS = sized(300, 5)
/** Budget of reading the open times, the 95th percentile of one reader, in milliseconds. */
const SLOT_BUDGET_MS = 20

const scarceId = (round: number): string => `scarce-${round}`

/** What rounds of buyers want the last pieces of. */
async function seedScarce({ db }: Database): Promise<void> {
  await db.insert(products).values(Array.from({ length: ROUNDS }, (_, i) => wanted(scarceId(i), SCARCE)))
}

/** Times of the last years, a few hours apart, as a shop has them that keeps what was ordered when. */
async function seedPast({ db }: Database): Promise<void> {
  const at = (hours: number) => new Date(Date.now() - hours * HOUR_MS)
  await db.insert(slots).values(
    Array.from({ length: PAST_SLOTS }, (_, i) => ({
      ...{ id: `past-${i}`, kind: 'pickup' as const, capacity: 30, timeZone: 'UTC' },
      ...{ startsAt: at(10 + 4 * i), endsAt: at(8 + 4 * i), cutOffAt: at(12 + 4 * i) },
    })),
  )
}

/** Reads the open times one after the other over HTTP; returns how long each took, in milliseconds. */
async function readSlots(url: string): Promise<number[]> {
  const took: number[] = []
  for (let i = 0; i < READS; i++) {
    const start = performance.now()
    const response = await fetch(`${url}/api/slot`)
    const open = (await response.json()) as { _id: string }[]
    took.push(performance.now() - start)
    if (open.length !== CONNECTIONS) throw new Error(`${open.length} times are open`)
  }
  return took
}

const [openPostgres] = databasesNamed(['postgres'], { crashes: true })
if (openPostgres === undefined) throw new Error('there is no PostgreSQL')
await using place = await openPostgres()
const seeding = await place.open()
await seedWanted(seeding, CONNECTIONS)
await seedScarce(seeding)
await seedPast(seeding)
await seeding.close()
{
  await using shops = await startShops(place, 1)
  const url = shops.webs[0]?.url ?? ''
  loadTableHead('orders')
  for (const [name, of] of [
    ['of one product and slot', 1],
    ['of as many products and slots as connections', CONNECTIONS],
  ] as const) {
    const got = await loadPosts(`${url}/api/order`, nextOrder(of), CONNECTIONS)
    if (got.failed > 0) throw new Error(`${got.failed} orders failed`)
    await loadRow([name], got, CONNECTIONS)
  }
  const sold: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const told = await Promise.all(
      Array.from({ length: CONNECTIONS }, () =>
        buy([url], { slot: 'slot-0', product: scarceId(round), buyer: nextBuyer() }),
      ),
    )
    sold.push(told.filter(({ number }) => number !== undefined).length)
  }
  console.log(
    `\n${CONNECTIONS} buyers at once for ${SCARCE} in stock, ${ROUNDS} times: sold ${sold.join(', ')}`,
  )
  const took = await readSlots(url)
  const [middle, late] = [0.5, 0.95].map((share) => percentile(took, share))
  console.log(
    `GET /api/slot beside ${PAST_SLOTS} past times: median ${ms(middle ?? 0)}, p95 ${ms(late ?? 0)} of ${SLOT_BUDGET_MS} ms`,
  )
  if (sold.some((count) => count !== SCARCE)) throw new Error('not every time as many as there were')
}
