import { randomUUID } from 'node:crypto'
import { HOUR_MS } from '@befaqt/domain/durations'
import type { Database } from '../../server/src/db/client.ts'
import { slots } from '../../server/src/db/schema/orders.ts'
import { categories, products } from '../../server/src/db/schema/shop.ts'
import type { NextRequest } from './load.ts'

const PLENTY = 1_000_000

/** A product that guests order. */
export const wanted = (id: string, stock: number) => ({
  ...{ id, title: id, categoryId: 'c', priceCents: 3_000 },
  stock,
})

/** So many products that nobody buys out, `own-0` on, and as many times to pick up. */
export async function seedWanted({ db }: Database, count: number): Promise<void> {
  const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS)
  await db.insert(categories).values({ id: 'c', title: 'Fish', titleKey: 'fish', shelfPos: '1' })
  await db.insert(products).values(Array.from({ length: count }, (_, i) => wanted(`own-${i}`, PLENTY)))
  await db.insert(slots).values(
    Array.from({ length: count }, (_, i) => ({
      ...{ id: `slot-${i}`, kind: 'pickup' as const, capacity: 10_000, timeZone: 'UTC' },
      ...{ startsAt: at(20 + i), endsAt: at(22 + i), cutOffAt: at(19) },
    })),
  )
}

let turn = 0

/** The number of a guest that nobody was before. */
export const nextBuyer = (): number => ++turn

/** Orders of ever other guests, each at an address of their own; `of`: how many products and slots they are distributed over. */
export const nextOrder =
  (of: number): NextRequest =>
  () => {
    const i = nextBuyer()
    return {
      headers: {
        'idempotency-key': randomUUID(),
        'x-forwarded-for': `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
      },
      body: {
        lines: [{ product_id: `own-${i % of}`, quantity: 1 }],
        contact: { fname: 'Ann', lname: 'Lee', email: `order${i}@example.org`, phone: '0400 000 000' },
        fulfilment: { kind: 'pickup', slot: `slot-${i % of}` },
      },
    }
  }
