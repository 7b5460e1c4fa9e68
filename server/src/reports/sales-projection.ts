import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { eventKinds } from '#server/db/events.ts'
import type { Projection } from './projection.ts'
import { type Part, partsOf } from './sales-parts.ts'

export type SalesDeps = { db: Db; siteFile: { market: { timeZone: string } } }

/** The sums of sales: an order that changed is taken out of them as it was and put in as it is now. */
export const sales = ({ siteFile }: Pick<SalesDeps, 'siteFile'>): Projection => ({
  name: 'reports.sales',
  of: 'orders',
  kind: eventKinds.orderChanged,
  tables: sql`sales_parts, sales_sums`,
  apply: (tx, ids) => applyOrders(tx, ids, siteFile.market.timeZone),
})

/** What is added up, by its column. */
export const measures = [
  'orders',
  'grams',
  'pieces',
  'revenue',
  'gst',
  'discounts',
  'coupons',
  'refunds',
] as const

/** SQL: what is written for each of these. */
export const named = (write: (column: SQL) => SQL, between: SQL = sql`, `): SQL =>
  sql.join(
    measures.map((name) => write(sql.raw(name))),
    between,
  )

/** SQL: parts as rows of the sums that they are in: by day, month, year and in all, and by what they are of. */
export const spread = (parts: SQL): SQL => sql`
  select d.what, s.period, d.key, ${named((column) => sql`p.${column}`)}
  from (${parts}) p
  cross join lateral (values ('all', case when p.position = 0 then '' end),
    ('lines', case when p.product_id is not null then '' end), ('product', p.product_id), ('customer', p.customer),
    ('slot', p.slot), ('coupon', p.coupon)) d(what, key)
  cross join lateral (values (''), (left(p.day, 4)), (left(p.day, 7)), (p.day)) s(period)
  where d.key is not null`

const PART_COLUMNS = sql.raw(
  `order_id text, position int, day text, product_id text, customer text, slot text, coupon text,
   orders int, grams bigint, pieces bigint, revenue bigint, gst bigint, discounts bigint, coupons bigint, refunds bigint`,
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
async function applyOrders(tx: Tx, ids: readonly string[], timeZone: string): Promise<void> {
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
            having ${named((column) => sql`sum(${column}) <> 0`, sql` or `)})
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
