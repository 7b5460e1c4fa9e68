import { setTimeout as wait } from 'node:timers/promises'
import { compare, type Held, type Told } from './count.ts'
import { STOCK, type World } from './world.ts'

const STORED_MS = 60_000

/** What the database holds of orders, packings and readings. */
async function held({ query, boxes }: World): Promise<Held> {
  type Count = { id: string; n: number }
  const counts = async (sql: string): Promise<ReadonlyMap<string, number>> =>
    new Map((await query<Count>(sql)).map(({ id, n }) => [id, n]))
  const named = boxes.map((box) => `'${box}'`).join(', ')
  return {
    // One buyer's order with another number, too, is one that the buyer was not told.
    order: await counts(
      `select c.email || ' ' || o.number as id, (count(*) over (partition by c.email))::int as n
       from orders o join order_contacts c on c.order_id = o.id`,
    ),
    packing: await counts(
      `select order_id as id, count(*)::int as n from order_events where status = 'PACKED' group by order_id`,
    ),
    reading: await counts(
      `select substr(dedupe_key, 4) as id, count(*)::int as n from records
       where box_id in (${named}) and kind = 'tracking' and dedupe_key like 'id:%' group by dedupe_key`,
    ),
  }
}

/** The same once all of these are there, or when the time for it is over. */
export async function heldOnceAll(world: World, told: readonly Told[]): Promise<Held> {
  for (const late = performance.now() + STORED_MS; ; await wait(500)) {
    const found = await held(world)
    if (performance.now() > late || compare(told, found).lost.length === 0) return found
  }
}

/** The stock is what the orders left of it. @throws Error */
export async function checkStock({ query }: World): Promise<string> {
  const [found] = await query<{ stock: number; sold: number }>(
    `select (select stock::float8 from products) as stock, (select count(*)::int from orders) as sold`,
  )
  if (found === undefined || found.stock !== STOCK - found.sold)
    throw new Error(`stock is ${found?.stock} after ${found?.sold} orders of ${STOCK}`)
  return `${found.sold} orders, and as much stock gone`
}
