import {
  type Amount,
  add,
  amount,
  amountIn,
  amountOf,
  leftInBox,
  type Measure,
  measureOf,
  only,
  orNone,
  subtract,
  sumOf,
  unitsOf,
} from '@befaqt/domain/amount'
import { stockStep } from '@befaqt/domain/catalogue-steps'
import { downTo, stepOf } from '@befaqt/domain/quantity'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { finite } from '#server/db/stored-values.ts'

/** SQL: is a box stopped, that is recalled or off sale? Nothing may be sold from it. @param b alias of `boxes` */
export const isStopped = (b: SQLWrapper): SQL =>
  sql`(${b}.recall_id is not null or ${b}.off_sale_at is not null)`

/**
 * What stands behind a product that is linked to boxes, by what it is sold by. `held`: what its boxes that are not
 * stopped hold (in − sold − lost); null: no bound, since one of them states no amount. `promised`: what placed orders
 * want of it that are not packed yet.
 */
export type Backing = { unit: string; held: Amount | null; promised: Amount }

/** Numbers by the units that rows have beside them; null: there are no rows. */
type ByUnit = Readonly<Record<string, number>> | null

/** How much of a product a box got, in the unit of their link, and what was taken of it. */
export type Link = { unit: string; quantity: number; sold: ByUnit; lost: ByUnit }

/**
 * SQL: what was sold and lost of a product from a box, as `sold.amounts` and `lost.amounts`, each `ByUnit`. To be joined
 * to `product_boxes pb`.
 * @param but id of an order whose own boxes don't count as sold
 */
export const takenFromBox = (but = ''): SQL => sql`cross join lateral (
    select json_object_agg(s.unit, s.amount) as amounts from (
      select l.unit, sum(x.amount) as amount
      from order_line_boxes x join order_lines l on l.order_id = x.order_id and l.position = x.position
      where x.box_id = pb.box_id and l.product_id = pb.product_id and x.order_id <> ${but}
      group by l.unit) s) sold
  cross join lateral (
    select json_object_agg(s.unit, s.amount) as amounts from (
      select t.unit, sum(t.amount) as amount from box_losses t
      where t.box_id = pb.box_id and t.product_id = pb.product_id
      group by t.unit) s) lost`

/** What counts in this measure of amounts by their units: what counts in another one is another balance. */
export const measured = <M extends Measure>(measure: M, amounts: ByUnit): Amount<M> =>
  sumOf(
    measure,
    only(
      measure,
      Object.entries(amounts ?? {}).map(([unit, value]) => amountIn(unit, value)),
    ),
  )

/** What a box has left of a product, in what their link counts. */
export function leftOfLink({ unit, quantity, sold, lost }: Link): Amount {
  const held = amountOf(unit, quantity)
  const taken = { sold: measured(held.unit, sold), lost: measured(held.unit, lost) }
  return orNone(leftInBox({ in: held, ...taken }))
}

/**
 * SQL: is an order placed, and not packed yet? Its first half adds nothing but the index of open orders, which are few.
 * @param o alias of `orders`
 */
export const isPlaced = (o: SQLWrapper): SQL =>
  sql`(${o}.status not in ('COMPLETED', 'CANCELLED') and ${o}.status = 'PLACED')`

/** SQL: a line that is to be packed from a box and has none yet. @param l alias of `order_lines` */
export const wantsBox = (
  l: SQLWrapper,
): SQL => sql`(${l}.no_box_reason is null and ${l}.left_out_reason is null
  and not exists (select from order_line_boxes w where w.order_id = ${l}.order_id and w.position = ${l}.position))`

/** How much a line wants, in what its unit counts. @param l alias of `order_lines` */
export const amountWanted = (l: SQLWrapper): SQL =>
  sql`coalesce(${l}.final_grams, ${l}.ordered_grams, ${l}.quantity)`

/**
 * What stands behind products, by their ids; those without boxes are left out. One statement: what is packed meanwhile
 * is seen as promised or as taken, never as neither.
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
  const links = await rows<Link & { id: string; soldBy: string; stopped: boolean; promised: ByUnit }>(
    db,
    sql`select pb.product_id as id, p.unit as "soldBy", pb.unit,
          (${isStopped(sql`b`)} or b.id = ${asIf ?? ''}) as stopped,
          coalesce(${finite(sql`pb.quantity`)}, 0)::float8 as quantity,
          sold.amounts as sold, lost.amounts as lost, wanted.amounts as promised
        from product_boxes pb join products p on p.id = pb.product_id join boxes b on b.id = pb.box_id
        ${takenFromBox()}
        left join (
          select s.product_id, json_object_agg(s.unit, s.amount) as amounts from (
            select l.product_id, l.unit, sum(${amountWanted(sql`l`)}) as amount
            from orders o join order_lines l on l.order_id = o.id
            where ${isPlaced(sql`o`)} and ${wantsBox(sql`l`)} and ${among(sql`l.product_id`)}
            group by l.product_id, l.unit) s
          group by s.product_id) wanted on wanted.product_id = pb.product_id
        where ${among(sql`pb.product_id`)}`,
  )
  const found = new Map<string, Backing>()
  for (const { id, soldBy, stopped, promised, ...link } of links) {
    const measure = measureOf(soldBy)
    const before = found.get(id) ?? {
      unit: soldBy,
      held: amount(0, measure),
      promised: measured(measure, promised),
    }
    const left = leftOfLink(link)
    const held = link.quantity === 0 ? null : before.held
    const more = held !== null && left.unit === measure ? add(held, left) : held
    found.set(id, stopped ? before : { ...before, held: more })
  }
  return found
}

/**
 * Units of a product that may be sold, before what open checkouts hold: its stock, or less where its boxes have less.
 * The one rule for lists, cart, checkout, hold and order.
 */
export function sellableUnits(stock: number, backing: Backing | undefined): number {
  if (backing === undefined || backing.held === null) return stock
  const { unit, held, promised } = backing
  return Math.max(0, Math.min(stock, unitsOf(unit, subtract(held, promised))))
}

/** Units of products that may be sold now, by their ids. */
async function sellableOf(tx: Tx, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const stocks = await rows<{ id: string; stock: number }>(
    tx,
    sql`select id, stock::float8 as stock from products where id = any(${sql.param([...ids])}::text[])`,
  )
  const backing = await backingOf(tx, ids)
  return new Map(stocks.map(({ id, stock }) => [id, sellableUnits(stock, backing.get(id))]))
}

/** Which of these products can be bought now: on sale, and at least one step of them may be sold. */
export async function buyableOf(db: Db | Tx, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const found = await rows<{ id: string; unit: string; stepGrams: number; stock: number }>(
    db,
    sql`select p.id, p.unit, p.step_grams as "stepGrams", p.stock::float8 as stock
        from products p join categories c on c.id = p.category_id
        where p.id = any(${sql.param([...ids])}::text[]) and p.status = 'ACTIVE' and c.status = 'ACTIVE'`,
  )
  const backing = await backingOf(db, ids)
  return new Set(
    found
      .filter((one) => inSteps(one, sellableUnits(one.stock, backing.get(one.id))) > 0)
      .map(({ id }) => id),
  )
}

/** What of a quantity can be bought, in the product's steps. */
export const inSteps = ({ unit, stepGrams }: { unit: string; stepGrams: number }, quantity: number): number =>
  downTo(stepOf({ unit, step: stepGrams / 1_000 }), quantity)

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
