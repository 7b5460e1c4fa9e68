/**
 * Who bought from a box, and what that costs with many orders, on PostgreSQL: `node bench/src/recall.ts [orders]`.
 * Each order has one line, from one of so many boxes that 200 orders share one. Budget: 100 ms at 1,000,000 orders.
 */

import { recallView } from '../../server/src/orders/recalling/read-recall.ts'
import { budgetHead, checkBudget } from './budget.ts'
import { databasesNamed } from './databases.ts'
import { percentile } from './percentile.ts'
import { sized } from './sized.ts'

const ORDERS_PER_BOX = 200
const ROUNDS = sized(50, 2)
/** Orders that a statement writes: the pool gives each statement a minute. */
const AT_ONCE = 100_000

const orders = Number(process.argv[2] ?? sized(1_000_000, 400))
const boxes = Math.ceil(orders / ORDERS_PER_BOX)
const [openPostgres] = databasesNamed(['postgres'])
if (openPostgres === undefined) throw new Error('there is no PostgreSQL')
await using place = await openPostgres()
const database = await place.open()
const { db } = database

/** Rows as the shop writes them; foreign keys are not checked while they come in. */
await db.transaction(async (tx) => {
  const run = (text: string) => tx.execute(text)
  await run(`set local session_replication_role = replica`)
  await run(`insert into categories (id, title, title_key, shelf_pos) values ('c', 'Fish', 'fish', '1')`)
  await run(`insert into products (id, title, category_id) values ('p', 'Snapper', 'c')`)
  await run(`insert into slots (id, kind, starts_at, ends_at, time_zone, capacity, cut_off_at)
    values ('s', 'pickup', now(), now(), 'UTC', 1, now())`)
  await run(`insert into boxes (id, head) select 'B-' || i, '' from generate_series(0, ${boxes - 1}) i`)
  for (let first = 1; first <= orders; first += AT_ONCE) {
    const some = `from generate_series(${first}, ${Math.min(first + AT_ONCE - 1, orders)}) i`
    await run(`insert into orders (id, number, status, kind, slot_id, slot_starts_at, agreed_cents, tolerance_percent, delivery_cents, total_cents)
      select 'o' || i, 'BF-' || i, 'COMPLETED', 'pickup', 's', now(), 3000, 10, 0, 3000 ${some}`)
    await run(`insert into order_contacts (order_id, fname, lname, email, phone)
      select 'o' || i, 'Ann', 'Lee', 'ann' || i || '@example.org', '0400000000' ${some}`)
    await run(`insert into order_lines (order_id, position, product_id, title, price_cents, discount, unit, include_gst, quantity)
      select 'o' || i, 1, 'p', 'Snapper', 3000, 0, 'kg', false, 1 ${some}`)
    await run(`insert into order_line_boxes (order_id, position, box_id, amount)
      select 'o' || i, 1, 'B-' || i % ${boxes}, 1000 ${some}`)
  }
})
await db.execute('analyze')

const times: number[] = []
for (let round = 0; round <= ROUNDS; round++) {
  const began = performance.now()
  const { orders: found } = await recallView(db, `B-${(round * 7_919) % boxes}`)
  if (found.length !== ORDERS_PER_BOX) throw new Error(`${found.length} orders of a box`)
  if (round > 0) times.push(performance.now() - began)
}
const at = (share: number): number => percentile(times, share)
budgetHead('orders', 'who bought from a box')
checkBudget([orders, `median of ${ROUNDS} boxes`], at(0.5), { mostMs: 100 })
checkBudget([orders, '95th percentile'], at(0.95), { mostMs: 100 })
await database.close()
