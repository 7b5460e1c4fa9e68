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
  sumOf,
} from '@befaqt/domain/amount'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { finite } from '#server/db/stored-values.ts'
import { type Share, SharedBoxes } from './shared-boxes.ts'

/** SQL: is a box stopped, that is recalled or off sale? Nothing may be sold from it. @param b alias of `boxes` */
export const isStopped = (b: SQLWrapper): SQL =>
  sql`(${b}.recall_id is not null or ${b}.off_sale_at is not null)`

/**
 * What stands behind a product that is linked to boxes, by what it is sold by. `held`: what its boxes that are not
 * stopped hold (in − sold − lost), of weighed ones what they still give besides what is promised of other products; null:
 * no bound, since one of them states no amount. `promised`: what placed orders want of it that are not packed yet.
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

/** SQL: a box that was weighed gives so many grams less what is assigned to orders that are not packed. @param b alias of `boxes` */
const isWeighed = (b: SQLWrapper): SQL => sql`(${b}.grams_left is not null and not ${isStopped(b)})`

/** SQL of a recursive query: `near.id`, products and those that come from the same weighed boxes, and so on. */
const nearOf = (ids: readonly string[]): SQL => sql`near(id) as (
  select unnest(${sql.param([...ids])}::text[])
  union
  select o.product_id from near n join product_boxes pb on pb.product_id = n.id
    join boxes w on w.id = pb.box_id and ${isWeighed(sql`w`)}
    join product_boxes o on o.box_id = pb.box_id)`

/** Products, and those of which there is less when more of these is sold, since they come from the same weighed boxes. */
export async function sharingBoxes(db: Db | Tx, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const found = await rows<{ id: string }>(db, sql`with recursive ${nearOf(ids)} select id from near`)
  return found.map(({ id }) => id)
}

/** Does one of these products come from a weighed box? */
export async function comeFromWeighed(tx: Tx, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return false
  const found = await rows(
    tx,
    sql`select 1 as one from product_boxes pb join boxes w on w.id = pb.box_id
        where pb.product_id = any(${sql.param([...ids])}::text[]) and ${isWeighed(sql`w`)} limit 1`,
  )
  return found.length > 0
}

/** A link as it is read: `gramsLeft`: null: the box was never weighed; `assigned`: of the box to orders that are not packed. */
type LinkRow = Link & {
  id: string
  boxId: string
  soldBy: string
  stopped: boolean
  promised: ByUnit
  gramsLeft: number | null
  assigned: ByUnit
}

const readLinks = (db: Db | Tx, ids: readonly string[] | null, asIf: string): Promise<LinkRow[]> => {
  const among = (column: SQL): SQL => (ids === null ? sql`true` : sql`${column} in (select id from near)`)
  return rows<LinkRow>(
    db,
    sql`${ids === null ? sql`` : sql`with recursive ${nearOf(ids)}`}
        select pb.product_id as id, pb.box_id as "boxId", p.unit as "soldBy", pb.unit,
          (${isStopped(sql`b`)} or b.id = ${asIf}) as stopped,
          coalesce(${finite(sql`pb.quantity`)}, 0)::float8 as quantity,
          sold.amounts as sold, lost.amounts as lost, wanted.amounts as promised,
          b.grams_left as "gramsLeft", given.amounts as assigned
        from product_boxes pb join products p on p.id = pb.product_id join boxes b on b.id = pb.box_id
        ${takenFromBox()}
        left join (
          select s.product_id, json_object_agg(s.unit, s.amount) as amounts from (
            select l.product_id, l.unit, sum(${amountWanted(sql`l`)}) as amount
            from orders o join order_lines l on l.order_id = o.id
            where ${isPlaced(sql`o`)} and ${wantsBox(sql`l`)} and ${among(sql`l.product_id`)}
            group by l.product_id, l.unit) s
          group by s.product_id) wanted on wanted.product_id = pb.product_id
        left join lateral (
          select json_object_agg(s.unit, s.amount) as amounts from (
            select l.unit, sum(x.amount) as amount
            from order_line_boxes x join orders o on o.id = x.order_id
              join order_lines l on l.order_id = x.order_id and l.position = x.position
            where x.box_id = pb.box_id and b.grams_left is not null and ${isPlaced(sql`o`)}
            group by l.unit) s) given on true
        where ${among(sql`pb.product_id`)}`,
  )
}

type Product = { unit: string; held: Amount | null; promised: Amount; isShared: boolean }

/** What stands behind products: it answers anew when one of them is promised to somebody. */
export class Backings {
  readonly #products = new Map<string, Product>()
  readonly #boxes: SharedBoxes

  readonly #asked: readonly string[]

  private constructor(links: readonly LinkRow[], asked: readonly string[]) {
    this.#asked = asked
    const left = new Map<string, number>()
    const shares: Share[] = []
    for (const link of links) {
      const { id, boxId, soldBy, stopped, promised } = link
      const measure = measureOf(soldBy)
      const nothing = amount(0, measure)
      const before = this.#products.get(id) ?? {
        unit: soldBy,
        held: nothing,
        promised: measured(measure, promised),
        isShared: false,
      }
      const more = leftOfLink(link)
      const isShared = !stopped && link.gramsLeft !== null && measure === 'grams'
      const most = link.quantity === 0 ? Number.POSITIVE_INFINITY : more.unit === measure ? more.value : 0
      if (isShared) {
        left.set(boxId, Math.max(0, (link.gramsLeft ?? 0) - measured('grams', link.assigned).value))
        shares.push({ product: id, box: boxId, most })
      }
      const isOwn = !stopped && !isShared
      const held = before.held === null || (isOwn && most === Number.POSITIVE_INFINITY) ? null : before.held
      const sum = held !== null && isOwn ? add(held, amount(most, measure)) : held
      this.#products.set(id, { ...before, held: sum, isShared: before.isShared || isShared })
    }
    for (const [id, { held, isShared }] of this.#products) {
      if (!isShared) continue
      const own = ownBoxes(id) // its boxes that were never weighed, which it has for itself
      left.set(own, held?.value ?? Number.POSITIVE_INFINITY)
      shares.push({ product: id, box: own, most: Number.POSITIVE_INFINITY })
    }
    this.#boxes = new SharedBoxes(left, shares)
  }

  /**
   * Reads what stands behind these products, and behind those that come from the same weighed boxes. One statement: what is
   * packed meanwhile is seen as promised or as taken, never as neither.
   * @param ids null: all products
   * @param asIf as if this box were stopped already
   */
  static async read(db: Db | Tx, ids: readonly string[] | null, asIf = ''): Promise<Backings> {
    return new Backings(ids?.length === 0 ? [] : await readLinks(db, ids, asIf), ids ?? [])
  }

  /** Products that were asked about, and those that come from the same weighed boxes. */
  get ids(): string[] {
    return [...new Set([...this.#asked, ...this.#products.keys()])]
  }

  /** What a product is sold by; '' for one that is linked to no box. */
  unitOf(id: string): string {
    return this.#products.get(id)?.unit ?? ''
  }

  /** The products of which there is less when more of this one is sold, itself among them. */
  near(id: string): string[] {
    return this.#products.get(id)?.isShared === true ? this.#boxes.near(id) : [id]
  }

  /** @param also what is wanted besides what is promised, of products that are sold by weight: grams by their ids */
  all(ids: readonly string[], also: ReadonlyMap<string, number> = new Map()): Map<string, Backing> {
    const found = ids.flatMap((id) => {
      const product = this.#products.get(id)
      return product === undefined ? [] : [[id, product] as const]
    })
    const shared = found.flatMap(([id, { isShared }]) => (isShared ? [id] : []))
    const wanted = new Map(
      shared
        .flatMap((id) => this.near(id))
        .map((id) => [id, Math.max(0, (this.#products.get(id)?.promised.value ?? 0) + (also.get(id) ?? 0))]),
    )
    const rooms = this.#boxes.roomsOf(shared, wanted)
    return new Map(
      found.map(([id, { unit, held, promised }]) => {
        const room = rooms.get(id)
        if (room === undefined) return [id, { unit, held, promised }]
        return [
          id,
          { unit, held: room === Number.POSITIVE_INFINITY ? null : amount(room, 'grams'), promised },
        ]
      }),
    )
  }

  of(id: string, also?: ReadonlyMap<string, number>): Backing | undefined {
    return this.all([id], also).get(id)
  }

  /** Counts what somebody is promised of a product, or with less than nothing, what they give back. */
  promise(id: string, more: Amount): void {
    const product = this.#products.get(id)
    if (product === undefined || product.promised.unit !== more.unit) return
    this.#products.set(id, { ...product, promised: add(product.promised, more) })
  }
}

/** Not the id of a box, which has no space. */
const ownBoxes = (product: string): string => `unweighed ${product}`
