import type { OrderDay } from '@befaqt/domain/api/order-api'
import { marketDate } from '@befaqt/domain/market-time'
import { type OrderState, orderStates } from '@befaqt/domain/order-states'
import { pickingList } from '@befaqt/domain/packing'
import { sql } from 'drizzle-orm'
import { wantsBox } from '#server/catalogue/sellable.ts'
import { type Db, ONE_MOMENT, rows, type Tx } from '#server/db/client.ts'
import { allowedBoxes, type Principal } from '#server/identity/principal.ts'
import { boxesOfProducts } from './boxes-of-products.ts'
import { startsOn } from './list-orders.ts'

type Deps = { db: Db; now: () => Date; siteFile: { market: { timeZone: string } } }

/** A day's orders, kilograms, revenue, and what is short. @param day `YYYY-MM-DD`; without it today in market time */
export function orderDay(
  { db, now, siteFile }: Deps,
  principal: Principal,
  asked: string | undefined,
): Promise<OrderDay> {
  const { timeZone } = siteFile.market
  const day = asked ?? marketDate(now().getTime(), timeZone)
  return db.transaction(async (tx) => {
    const counted = await rows<{ status: OrderState; count: number; revenue: number }>(
      tx,
      sql`select status, count(*)::int as count, sum(total_cents)::float8 as revenue
          from orders where ${startsOn(day, timeZone)} group by status`,
    )
    const [weight] = await rows<{ grams: number }>(
      tx,
      sql`select coalesce(sum(coalesce(l.final_grams, l.ordered_grams)), 0)::float8 as grams
          from orders join order_lines l on l.order_id = orders.id
          where ${startsOn(day, timeZone)} and orders.status <> 'CANCELLED' and l.left_out_reason is null`,
    )
    const count = (state: OrderState): number => counted.find(({ status }) => status === state)?.count ?? 0
    const sold = counted.filter(({ status }) => status !== 'CANCELLED')
    return {
      day,
      orders: Object.fromEntries(orderStates.map((state) => [state, count(state)])) as OrderDay['orders'],
      grams: weight?.grams ?? 0,
      revenue: sold.reduce((sum, { revenue }) => sum + revenue, 0),
      short: await shortOf(tx, principal, day, timeZone),
    }
  }, ONE_MOMENT)
}

type Needed = { product_id: string; title: string; unit: string; amount: number }

/** Products of which boxes have less than the lines need that have no box yet. */
async function shortOf(
  tx: Tx,
  principal: Principal,
  day: string,
  timeZone: string,
): Promise<OrderDay['short']> {
  const needed = await rows<Needed>(
    tx,
    sql`select l.product_id, min(l.title) as title, l.unit,
          sum(coalesce(l.final_grams, l.ordered_grams, l.quantity))::float8 as amount
        from orders join order_lines l on l.order_id = orders.id
        where ${startsOn(day, timeZone)} and orders.status = 'PLACED' and ${wantsBox(sql`l`)}
        group by l.product_id, l.unit`,
  )
  const ids = needed.map(({ product_id }) => product_id)
  const boxes = await boxesOfProducts(tx, ids, { allowed: allowedBoxes(principal) })
  return pickingList(needed, boxes).flatMap(({ product_id, title, unit, amount, isBoxed, short }) =>
    isBoxed && short > 0 ? [{ product_id, title, unit, needed: amount, left: amount - short }] : [],
  )
}
