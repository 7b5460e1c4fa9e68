import type { Database } from '../../server/src/db/client.ts'
import { rebuild } from '../../server/src/reports/projection.ts'
import { sales } from '../../server/src/reports/sales-projection.ts'
import type { BenchDatabase } from './databases.ts'
import { withProducts } from './products.ts'
import { type Shop, startShop, untilIdle } from './shop.ts'
import { ADMIN } from './sign-in.ts'
import { sized } from './sized.ts'

/** SQL: the id of an order or slot by its number: a UUID, as the shop's. */
export const uuidOf = (i: string): string => `'00000000-0000-4000-8000-' || lpad((${i})::text, 12, '0')`

/** How much there is to be. */
type Sizes = { orders: number; open: number; slots: number }

/** Orders of two lines each, the newest of them still open, in slots of which the last ten are to come. */
export async function seedOrders({ db }: Database, { orders, open, slots }: Sizes): Promise<void> {
  await db.execute(`insert into slots (id, kind, starts_at, ends_at, time_zone, capacity, cut_off_at)
    select ${uuidOf('i')}, 'pickup', s, s + interval '2 hours', 'Australia/Sydney', 10000, s
    from generate_series(1, ${slots}) i, lateral (select date_trunc('hour', now()) + (i - ${slots - 10}) * interval '12 hours' as s) t`)
  await db.execute('analyze slots')
  await inParts(orders, async (from, to) => {
    await db.execute(`insert into orders (id, number, status, kind, slot_id, slot_starts_at, agreed_cents,
        tolerance_percent, delivery_cents, total_cents, created_at)
      select ${uuidOf('i')}, 'BF-2026-' || lpad(i::text, greatest(6, length(i::text)), '0'),
        case when i > ${orders - open} then (array['PLACED', 'PACKED', 'READY'])[1 + i % 3]
          when i % 20 = 0 then 'CANCELLED' else 'COMPLETED' end,
        'pickup', s.id, s.starts_at, 6000, 10, 0, 6000, s.starts_at - interval '1 day' + i * interval '1 millisecond'
      from generate_series(${from}, ${to}) i join slots s on s.id = ${uuidOf(`1 + (i - 1)::bigint * ${slots} / ${orders}`)}`)
    await db.execute(`insert into order_contacts (order_id, fname, lname, email, phone)
      select ${uuidOf('i')}, 'Ann' || i % 977, 'Lee' || i % 7919, 'buyer' || i || '@example.org', '0400 ' || lpad(i::text, greatest(6, length(i::text)), '0')
      from generate_series(${from}, ${to}) i`)
    await db.execute(`insert into order_lines (order_id, position, product_id, title, price_cents, discount, unit,
        include_gst, quantity, ordered_grams)
      select ${uuidOf('i')}, position, p.id, p.title, 3000, 0, 'kg', false, 1, 1000
      from generate_series(${from}, ${to}) i, generate_series(1, 2) position,
        (select id, title from products order by id limit 1) p`)
  })
  await db.execute('vacuum analyze')
}

/** Rows that one statement writes: on a busy machine it must end within its time. */
const PART = 50_000

/** Does something with the numbers from 1 on, part by part. */
export async function inParts(
  count: number,
  write: (from: number, to: number) => Promise<void>,
): Promise<void> {
  for (let from = 1; from <= count; from += PART) await write(from, Math.min(count, from + PART - 1))
}

/** A large shop. */
export const SIZES = {
  orders: sized(1_000_000, 300),
  open: sized(1_000, 30),
  slots: sized(5_000, 20),
  products: sized(10_000, 100),
  customers: sized(100_000, 100),
}

/** Products, customers and orders of that shop. */
export async function seedShop(
  database: Database,
  { products, customers, ...sizes }: typeof SIZES,
): Promise<void> {
  const { db } = database
  await db.execute(`insert into products (id, title, category_id, price_cents, unit, stock)
    select 'bench-' || i, (array['Snapper', 'Bream', 'Flathead', 'Mulloway', 'Garfish'])[1 + i % 5] || ' no ' || i, c.id, 3000, 'kg', i % 200
    from generate_series(1, ${products}) i, (select id from categories order by id limit 1) c`)
  await db.execute(`insert into users (id, fname, lname, email, email_key, phone, role, status, password_hash)
    select 'bench-' || i, 'Ann' || i % 977, 'Lee' || i % 7919, 'buyer' || i || '@example.org', 'buyer' || i || '@example.org',
      '0400 000 000', 'USER', 'ACTIVE', 'none'
    from generate_series(1, ${customers}) i`)
  await seedOrders(database, sizes)
}

/** The same shop, where each order is of a customer, each of its lines of a product of its own, and reports have sums. */
export async function seedSpreadShop(database: Database, sizes: typeof SIZES): Promise<void> {
  const { products, customers, orders } = sizes
  const { db } = database
  await seedShop(database, sizes)
  await db.execute('alter table orders disable trigger user')
  await inParts(orders, async (from, to) => {
    const part = `generate_series(${from}, ${to}) i`
    await db.execute(
      `update orders o set user_id = 'bench-' || (1 + i * 7919::bigint % ${customers}) from ${part} where o.id = ${uuidOf('i')}`,
    )
    await db.execute(
      `update order_lines l set product_id = 'bench-' || (1 + (i * 7919::bigint + l.position * 104729) % ${products})
       from ${part} where l.order_id = ${uuidOf('i')}`,
    )
  })
  await db.execute('alter table orders enable trigger user')
  await forgetEvents(database)
  await rebuild(db, sales({ siteFile: { market: { timeZone: 'Australia/Sydney' } } }))
  await db.execute('vacuum analyze')
}

/** Nothing is told of what was seeded, and nobody misses it: whoever follows events would begin anew with everything. */
export async function forgetEvents({ db }: Database): Promise<void> {
  await db.execute('truncate events')
  await db.execute('update event_consumers set last = (select last from event_numbers)')
}

/** A shop with these rows. It runs once before, for its tables, and nothing of it waits any more. */
export async function seededShop(
  place: BenchDatabase,
  seed: (database: Database) => Promise<void>,
): Promise<Shop> {
  const env = {
    ...ADMIN,
    ANCHOR_INTERVAL_S: '86400',
    MQTT_PORT: '0',
    ...place.env,
    ...(await withProducts(place)),
  }
  {
    await using shop = await startShop(env, place.dataDir)
    await untilIdle(shop)
  }
  const database = await place.open()
  await seed(database)
  await database.close()
  const shop = await startShop(env, place.dataDir)
  await untilIdle(shop)
  return shop
}
