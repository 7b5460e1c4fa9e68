/**
 * The managers' queue of a shop with 100,000 orders, 1,000 of them open. `node bench/src/order-queue.ts [embedded]
 * [postgres]`, after `npm run build`.
 */
import type { Database } from '../../server/src/db/client.ts'
import { budgetHead, checkBudget } from './budget.ts'
import { type BenchDatabase, databasesNamed } from './databases.ts'
import { load } from './load.ts'
import { withProducts } from './products.ts'
import { startShop, untilIdle } from './shop.ts'
import { ADMIN, bearer, signIn } from './sign-in.ts'
import { sized } from './sized.ts'

const ORDERS = sized(100_000, 300)
const OPEN = sized(1_000, 30)
const SLOTS = sized(1_000, 20)
/** Budget for the 95th percentile with a single manager. */
const ALONE = { mostMs: 50 }
/** The same for a page that the server renders. */
const PAGE = { mostMs: 100 }

/** Orders of two lines each, the newest 1,000 still open, in slots of which the last ten are to come. */
async function seed({ db }: Database): Promise<void> {
  await db.execute(`insert into slots (id, kind, starts_at, ends_at, time_zone, capacity, cut_off_at)
    select 'bench-' || i, 'pickup', s, s + interval '2 hours', 'Australia/Sydney', 10000, s
    from generate_series(1, ${SLOTS}) i, lateral (select date_trunc('hour', now()) + (i - ${SLOTS - 10}) * interval '12 hours' as s) t`)
  await db.execute(`insert into orders (id, number, status, kind, slot_id, slot_starts_at, agreed_cents,
      tolerance_percent, delivery_cents, total_cents, created_at)
    select 'bench-' || i, 'BF-2026-' || lpad(i::text, 6, '0'),
      case when i > ${ORDERS - OPEN} then (array['PLACED', 'PACKED', 'READY'])[1 + i % 3]
        when i % 20 = 0 then 'CANCELLED' else 'COMPLETED' end,
      'pickup', s.id, s.starts_at, 6000, 10, 0, 6000, s.starts_at - interval '1 day' + i * interval '1 millisecond'
    from generate_series(1, ${ORDERS}) i join slots s on s.id = 'bench-' || (1 + (i - 1) * ${SLOTS} / ${ORDERS})`)
  await db.execute(`insert into order_contacts (order_id, fname, lname, email, phone)
    select 'bench-' || i, 'Ann' || i % 977, 'Lee' || i % 7919, 'buyer' || i || '@example.org', '0400 ' || lpad(i::text, 6, '0')
    from generate_series(1, ${ORDERS}) i`)
  await db.execute(`insert into order_lines (order_id, position, product_id, title, price_cents, discount, unit,
      include_gst, quantity, ordered_grams)
    select 'bench-' || i, position, p.id, p.title, 3000, 0, 'kg', false, 1, 1000
    from generate_series(1, ${ORDERS}) i, generate_series(1, 2) position,
      (select id, title from products order by id limit 1) p`)
  await db.execute('vacuum analyze')
}

const lists = [
  ['open orders, by slot', 'status=open&sort=slot'],
  ['all orders, by slot', 'sort=slot'],
  ['all orders, the newest first', 'page=1'],
  ['page in the middle', 'page=1000&sort=slot'],
  ['one slot', `slot=00000000-0000-4000-8000-000000000000`],
  ['search of a number', 'q=BF-2026-054321'],
  ['search of a name', 'q=lee77'],
  ['search of one letter', 'q=e&status=open&sort=slot'],
] as const

async function measure(place: BenchDatabase): Promise<void> {
  console.log(`\n## ${ORDERS} orders, ${place.name}`)
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
  await using shop = await startShop(env, place.dataDir)
  await untilIdle(shop)
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
