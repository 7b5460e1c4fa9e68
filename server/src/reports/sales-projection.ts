import { setTimeout as sleep } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { consume, type EventConsumer } from '#server/db/consume.ts'
import { eventKinds } from '#server/db/events.ts'
import { type Part, partsOf } from './sales-parts.ts'

export type SalesDeps = {
  db: Db
  log: Pick<Logger, 'error' | 'warn'>
  siteFile: { market: { timeZone: string } }
}

/** Of its cursor, whose row is also what holds off others while sums are written. */
const CONSUMER = 'reports.sales'
/** Row of `installation`: the id of the order up to which all are in the sums while they are made anew. */
const MADE_UNTIL = 'sales-made-until'
/** Orders that are reckoned at once. */
const PART = 500
/** Between two looks at what changed. */
const PERIOD_MS = 2_000

/** Keeps the sums of sales: an order that changed is taken out of them as it was and put in as it is now. */
export const salesConsumer = ({ siteFile }: Pick<SalesDeps, 'siteFile'>): EventConsumer => ({
  name: CONSUMER,
  kinds: [eventKinds.orderChanged],
  async work(tx, events) {
    const ids = [...new Set(events.flatMap(({ keys }) => keys ?? []))]
    for (let from = 0; from < ids.length; from += PART)
      await applyOrders(tx, ids.slice(from, from + PART), siteFile.market.timeZone)
  },
  startOver: beginAnew,
})

/** Empties the sums; `followSales` makes them anew, part by part. */
async function beginAnew(tx: Tx): Promise<void> {
  await rows(tx, sql`truncate sales_parts, sales_sums`)
  await rows(
    tx,
    sql`insert into installation (name, value) values (${MADE_UNTIL}, '') on conflict (name) do update set value = ''`,
  )
}

/** Has the sums of all orders made anew, by a running process. */
export const rebuildSales = (db: Db): Promise<void> =>
  db.transaction(async (tx) => {
    await lockSums(tx)
    await beginAnew(tx)
  })

/** Waits for whoever writes sums, and holds them off. */
export const lockSums = (tx: Tx): Promise<unknown> =>
  rows(tx, sql`select 1 from event_consumers where name = ${CONSUMER} for update`)

/** What is added up, by its column. */
const measures = ['orders', 'grams', 'pieces', 'revenue', 'discounts', 'coupons', 'refunds'] as const

const named = (write: (column: SQL) => SQL): SQL =>
  sql.join(
    measures.map((name) => write(sql.raw(name))),
    sql`, `,
  )

/** SQL: parts as rows of the sums that they are in: by day, month and year, and by what they are of. */
export const spread = (parts: SQL): SQL => sql`
  select d.what, s.period, d.key, ${named((column) => sql`p.${column}`)}
  from (${parts}) p
  cross join lateral (values ('all', case when p.position = 0 then '' end), ('product', p.product_id),
    ('customer', p.customer), ('slot', p.slot), ('coupon', p.coupon)) d(what, key)
  cross join lateral (values (left(p.day, 4)), (left(p.day, 7)), (p.day)) s(period)
  where d.key is not null`

const PART_COLUMNS = sql.raw(
  `order_id text, position int, day text, product_id text, customer text, slot text, coupon text,
   orders int, grams bigint, pieces bigint, revenue bigint, discounts bigint, coupons bigint, refunds bigint`,
)

/** Parts as the rows of a statement. */
const recordset = (parts: readonly Part[]): SQL => {
  const found = parts.map(({ orderId: order_id, productId: product_id, ...part }) => ({
    order_id,
    product_id,
    ...part,
  }))
  return sql`select * from json_to_recordset(${JSON.stringify(found)}::json) as r(${PART_COLUMNS})`
}

/** Takes these orders out of the sums as they were put in, and puts them in as they are now. Again, it changes nothing. */
export async function applyOrders(tx: Tx, ids: readonly string[], timeZone: string): Promise<void> {
  const fresh = recordset(await partsOf(tx, ids, timeZone))
  const minus = named((column) => sql`-${column} as ${column}`)
  await rows(
    tx,
    sql`with gone as (delete from sales_parts where order_id = any(${sql.param([...ids])}::text[]) returning *),
          moved as (
            ${spread(fresh)}
            union all
            select what, period, key, ${minus} from (${spread(sql`select * from gone`)}) g),
          changed as (
            select what, period, key, ${named((column) => sql`sum(${column}) as ${column}`)}
            from moved group by what, period, key
            having ${sql.join(
              measures.map((name) => sql`sum(${sql.raw(name)}) <> 0`),
              sql` or `,
            )})
        insert into sales_sums (what, period, key, ${named((column) => column)})
        select what, period, key, ${named((column) => column)} from changed order by what, period, key
        on conflict (what, period, key) do update
          set ${named((column) => sql`${column} = sales_sums.${column} + excluded.${column}`)}`,
  )
  await rows(
    tx,
    sql`insert into sales_parts (order_id, position, day, product_id, customer, slot, coupon, ${named((column) => column)})
        select order_id, position, day, product_id, customer, slot, coupon, ${named((column) => column)}
        from (${fresh}) f`,
  )
  await rows(tx, sql`delete from sales_sums where orders = 0`)
}

/** Puts the next orders into sums that are made anew. Returns whether there were any. */
async function makeMore({ db, siteFile }: SalesDeps): Promise<boolean> {
  const made = await rows(db, sql`select 1 from installation where name = ${MADE_UNTIL}`)
  return made.length > 0 && db.transaction((tx) => makePart(tx, siteFile.market.timeZone))
}

async function makePart(tx: Tx, timeZone: string): Promise<boolean> {
  await lockSums(tx)
  const [made] = await rows<{ value: string }>(
    tx,
    sql`select value from installation where name = ${MADE_UNTIL} for update`,
  )
  if (made === undefined) return false
  const next = await rows<{ id: string }>(
    tx,
    sql`select id from orders where id > ${made.value} order by id limit ${PART}`,
  )
  const last = next.at(-1)?.id
  if (last === undefined) {
    await rows(tx, sql`delete from installation where name = ${MADE_UNTIL}`)
    return false
  }
  await applyOrders(
    tx,
    next.map(({ id }) => id),
    timeZone,
  )
  await rows(tx, sql`update installation set value = ${last} where name = ${MADE_UNTIL}`)
  return true
}

/** Ids of orders that changed since the sums were brought up to date, or are still to be put into new ones. */
export async function unconsumedOrders(tx: Tx): Promise<string[]> {
  const found = await rows<{ id: string }>(
    tx,
    sql`select distinct unnest(keys) as id from events where kind = ${eventKinds.orderChanged}
          and (number is null or number > (select last from event_consumers where name = ${CONSUMER}))
        union select id from orders
          where id > (select value from installation where name = ${MADE_UNTIL})`,
  )
  return found.map(({ id }) => id)
}

/** How far the sums are: whether they are made anew, and for how many seconds the oldest change waits. */
export async function salesState(db: Db): Promise<{ isMade: boolean; lagS: number }> {
  const [state] = await rows<{ isMade: boolean; lagS: number }>(
    db,
    sql`select exists (select from event_consumers where name = ${CONSUMER})
            and not exists (select from installation where name = ${MADE_UNTIL}) as "isMade",
          coalesce(extract(epoch from now() - (
            select min(at) from events where kind = ${eventKinds.orderChanged}
              and (number is null or number > (select last from event_consumers where name = ${CONSUMER})))), 0)::int
            as "lagS"`,
  )
  return state ?? { isMade: false, lagS: 0 }
}

/** Brings the sums up to date with all that is committed. */
export async function followSales(deps: SalesDeps, signal?: AbortSignal): Promise<void> {
  const consumer = salesConsumer(deps)
  while (!signal?.aborted) {
    const areMore = await consume(deps.db, consumer, deps.log)
    if (!(await makeMore(deps)) && !areMore) return
  }
}

/** Follows orders until it is stopped; any number of processes may. @returns a function that stops it */
export function startSales(deps: SalesDeps): () => Promise<void> {
  const stop = new AbortController()
  const { signal } = stop
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await followSales(deps, signal).catch((err: unknown) => deps.log.error({ err }, 'sales not followed'))
      await sleep(PERIOD_MS, undefined, { signal }).catch(() => undefined)
    }
  }
  const running = run()
  return async () => {
    stop.abort()
    await running
  }
}
