import { gramsPerUnit } from '@befaqt/domain/order-weight'
import { stockStep } from '@befaqt/domain/stock-step'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { finite } from '#server/db/stored-values.ts'

/** SQL: is a box stopped, that is recalled or off sale? Nothing may be sold from it. @param b alias of `boxes` */
export const isStopped = (b: SQLWrapper): SQL =>
  sql`(${b}.recall_id is not null or ${b}.off_sale_at is not null)`

/**
 * What stands behind a product that is linked to boxes, in grams, or in pieces of what is counted. `held`: what its
 * boxes that are not stopped hold (in − sold − lost); null: no bound, since one of them states no amount. `promised`:
 * what placed orders want of it that are not packed yet. `hasStopped`: one of its boxes is stopped.
 */
export type Backing = { unit: string; held: number | null; promised: number; hasStopped: boolean }

type Link = { id: string; unit: string; stopped: boolean; quantity: number; taken: number }

/** SQL: a line that is to be packed from a box and has none yet. @param l alias of `order_lines` */
export const wantsBox = (
  l: SQLWrapper,
): SQL => sql`(${l}.no_box_reason is null and ${l}.left_out_reason is null
  and not exists (select from order_line_boxes w where w.order_id = ${l}.order_id and w.position = ${l}.position))`

/** Grams that a line wants, or pieces. @param l alias of `order_lines` */
export const amountWanted = (l: SQLWrapper): SQL =>
  sql`coalesce(${l}.final_grams, ${l}.ordered_grams, ${l}.quantity)`

/**
 * What stands behind products, by their ids; those without boxes are left out.
 * @param ids null: all products
 * @param asIf as if this box were stopped already
 */
export async function backingOf(
  db: Db | Tx,
  ids: readonly string[] | null,
  asIf?: string,
): Promise<Map<string, Backing>> {
  if (ids?.length === 0) return new Map()
  const among = (column: SQL): SQL =>
    ids === null ? sql`true` : sql`${column} = any(${sql.param([...ids])}::text[])`
  const links = await rows<Link>(
    db,
    sql`select pb.product_id as id, coalesce(pb.unit, p.unit) as unit,
          (${isStopped(sql`b`)} or b.id = ${asIf ?? ''}) as stopped,
          coalesce(${finite(sql`pb.quantity`)}, 0)::float8 as quantity,
          case when ${isStopped(sql`b`)} or pb.quantity = 0 then 0 else
            coalesce((select sum(x.amount) from order_line_boxes x
              join order_lines l on l.order_id = x.order_id and l.position = x.position
              where x.box_id = pb.box_id and l.product_id = pb.product_id), 0) +
            coalesce((select sum(t.amount) from box_losses t
              where t.box_id = pb.box_id and t.product_id = pb.product_id), 0) end::float8 as taken
        from product_boxes pb join products p on p.id = pb.product_id join boxes b on b.id = pb.box_id
        where ${among(sql`pb.product_id`)}`,
  )
  const promised = await rows<{ id: string; amount: number }>(
    db,
    sql`select l.product_id as id, sum(${amountWanted(sql`l`)})::float8 as amount
        from orders o join order_lines l on l.order_id = o.id
        where o.status not in ('COMPLETED', 'CANCELLED') and o.status = 'PLACED' and ${wantsBox(sql`l`)}
          and ${among(sql`l.product_id`)}
        group by l.product_id`,
  )
  const promisedOf = new Map(promised.map(({ id, amount }) => [id, amount]))
  const found = new Map<string, Backing>()
  for (const { id, unit, stopped, quantity, taken } of links) {
    const before = found.get(id) ?? { unit, held: 0, promised: promisedOf.get(id) ?? 0, hasStopped: false }
    const put = Math.floor(quantity * (gramsPerUnit(unit) ?? 1))
    const held = quantity === 0 || before.held === null ? null : before.held + Math.max(0, put - taken)
    found.set(id, stopped ? { ...before, hasStopped: true } : { ...before, held })
  }
  return found
}

/**
 * Units of a product that may be sold, before what open checkouts hold: its stock, or less where its boxes have less.
 * The one rule for lists, cart, checkout, hold and order.
 */
export function sellableUnits(stock: number, backing: Backing | undefined): number {
  if (backing === undefined || backing.held === null) return stock
  const each = gramsPerUnit(backing.unit) ?? 1
  return Math.max(0, Math.min(stock, Math.floor((backing.held - backing.promised) / each)))
}

/** Units of products that may be sold now, by their ids. */
async function sellableOf(tx: Tx, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const stocks = await rows<{ id: string; stock: number }>(
    tx,
    sql`select id, stock from products where id = any(${sql.param([...ids])}::text[])`,
  )
  const backing = await backingOf(tx, ids)
  return new Map(stocks.map(({ id, stock }) => [id, sellableUnits(stock, backing.get(id))]))
}

/** Does `work`, and returns its result with whether the public catalogue shows another stock of these products since. */
export async function withSellable<Made>(
  tx: Tx,
  ids: readonly string[],
  work: () => Promise<Made>,
): Promise<{ made: Made; isShown: boolean }> {
  const before = await sellableOf(tx, ids)
  const made = await work()
  const after = await sellableOf(tx, ids)
  const isShown = [...after].some(([id, units]) => stockStep(units) !== stockStep(before.get(id) ?? 0))
  return { made, isShown }
}
