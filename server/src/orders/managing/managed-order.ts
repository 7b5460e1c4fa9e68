import { amount, amountIn, subtract } from '@befaqt/domain/amount'
import type { ManagedOrder, OrderDay, PackingBox, SlotSheet } from '@befaqt/domain/api/order-api'
import { marketDate } from '@befaqt/domain/market-time'
import { type OrderState, orderStates } from '@befaqt/domain/order-states'
import { pickingList } from '@befaqt/domain/packing'
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { actorNames } from '#server/audit/history.ts'
import { isStopped, type Link, leftOfLink, takenFromBox, wantsBox } from '#server/catalogue/index.ts'
import { type Db, ONE_MOMENT, rows, type Tx } from '#server/db/client.ts'
import { orders } from '#server/db/schema/orders.ts'
import { timeText } from '#server/db/stored-values.ts'
import { allowedBoxes, type Principal } from '#server/identity/principal.ts'
import { shopRole, withLinesOf } from '../order-access.ts'
import { orderView } from '../order-views.ts'
import { readWholeOrder, readWholeOrders } from '../read-orders.ts'
import { linesToDecide } from '../recalling/read-recall.ts'
import { startsOn } from './list-orders.ts'
import { readSlot } from './manage-slots.ts'

/** Orders of one sheet: what a slot takes in practice, and what a page can still print. */
const MAX_SHEET = 500

/** An order with who did what, and the boxes that it may be packed from. @throws ShopError `order.not_found` */
export function managedOrder(db: Db, principal: Principal, id: string): Promise<ManagedOrder> {
  return db.transaction(async (tx) => {
    const whole = await readWholeOrder(tx, id)
    const role = await shopRole(tx, principal, id)
    const view = orderView(whole, role)
    const { lines, events } = whole
    const weighed = lines.flatMap(({ position, weighedBy, weighedAt, scale }) =>
      weighedBy === null ? [] : [{ position, weighedBy, weighedAt, scale }],
    )
    const names = await actorNames(tx, [
      ...new Set([...events.flatMap(({ who }) => who ?? []), ...weighed.map(({ weighedBy }) => weighedBy)]),
    ])
    const nameOf = (who: string | null): string | null =>
      who === null || role === 'boxes' ? null : (names.get(who) ?? who)
    const products = lines.map(({ productId }) => productId)
    return {
      ...view,
      events: view.events.map((event, i) => ({ ...event, who: nameOf(events[i]?.who ?? null) })),
      weighings: weighed.map(({ position, weighedBy, weighedAt, scale }) => ({
        position,
        who: names.get(weighedBy) ?? weighedBy,
        at: timeText(weighedAt),
        scale,
      })),
      paymentProblem: whole.payment?.problem ?? null,
      paymentReference: role === 'boxes' ? null : (whole.payment?.reference ?? null),
      toDecide: [...((await linesToDecide(tx, { only: id })).get(id) ?? [])].map(([position, why]) => ({
        position,
        why,
      })),
      boxed: await boxedPositions(tx, lines),
      noBox: lines.flatMap(({ position, noBoxReason }) =>
        noBoxReason === null ? [] : [{ position, reason: noBoxReason }],
      ),
      boxes: await boxesOfProducts(tx, products, { but: id, allowed: allowedBoxes(principal) }),
    }
  }, ONE_MOMENT)
}

/** A slot with its orders and the boxes that they may be packed from. @throws ShopError `not_found` */
export function slotSheet(db: Db, principal: Principal, id: string): Promise<SlotSheet> {
  return db.transaction(async (tx) => {
    const slot = await readSlot(tx, id)
    const allowed = allowedBoxes(principal)
    const role = allowed === null ? 'shop' : 'boxes'
    const ids = await tx
      .select({ id: orders.id })
      .from(orders)
      .where(and(eq(orders.slotId, id), ne(orders.status, 'CANCELLED'), withLinesOf(allowed)))
      .orderBy(asc(orders.number))
      .limit(MAX_SHEET)
    const all = await readWholeOrders(
      tx,
      ids.map((row) => row.id),
    )
    const products = new Set(all.flatMap(({ lines }) => lines.map(({ productId }) => productId)))
    const boxes = await boxesOfProducts(tx, [...products], { allowed })
    return { slot, orders: all.map((whole) => orderView(whole, role)), boxes }
  }, ONE_MOMENT)
}

type Deps = { db: Db; now: () => Date; siteFile: { market: { timeZone: string } } }

/** A day's orders, kilograms, revenue, and what is short. @param day `YYYY-MM-DD`; without it today in market time */
export function orderDay(
  { db, now, siteFile }: Deps,
  principal: Principal,
  asked: string | undefined,
): Promise<OrderDay> {
  const { timeZone } = siteFile.market
  const day = asked ?? marketDate(now().getTime(), timeZone)
  return db.transaction(
    async (tx) => ({
      day,
      ...(await daySums(tx, day, timeZone)),
      short: await shortOf(tx, principal, day, timeZone),
    }),
    ONE_MOMENT,
  )
}

/** How many orders of a day are in which state, and what is sold with those that are not cancelled. */
export async function daySums(
  db: Db | Tx,
  day: string,
  timeZone: string,
): Promise<Pick<OrderDay, 'orders' | 'grams' | 'revenue'>> {
  const counted = await rows<{ status: OrderState; count: number; revenue: number }>(
    db,
    sql`select status, count(*)::int as count, sum(total_cents)::float8 as revenue
        from orders where ${startsOn(day, timeZone)} group by status`,
  )
  const [weight] = await rows<{ grams: number }>(
    db,
    sql`select coalesce(sum(coalesce(l.final_grams, l.ordered_grams)), 0)::float8 as grams
        from orders join order_lines l on l.order_id = orders.id
        where ${startsOn(day, timeZone)} and orders.status <> 'CANCELLED' and l.left_out_reason is null`,
  )
  const count = (state: OrderState): number => counted.find(({ status }) => status === state)?.count ?? 0
  const sold = counted.filter(({ status }) => status !== 'CANCELLED')
  return {
    orders: Object.fromEntries(orderStates.map((state) => [state, count(state)])) as OrderDay['orders'],
    grams: weight?.grams ?? 0,
    revenue: sold.reduce((sum, { revenue }) => sum + revenue, 0),
  }
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
  const list = pickingList(
    needed.map(({ amount, ...line }) => ({ ...line, amount: amountIn(line.unit, amount) })),
    boxes.map(({ left, counted, ...box }) => ({ ...box, left: amount(left, counted) })),
  )
  return list.flatMap(({ product_id, title, unit, amount, isBoxed, short }) =>
    isBoxed && short.value > 0
      ? [{ product_id, title, unit, needed: amount.value, left: subtract(amount, short).value }]
      : [],
  )
}

type Row = Link & { product_id: string; box_id: string; caught_at: string | null; best_by: string | null }

/**
 * What is left of products in the boxes that they are linked to and that are neither sealed, recalled nor off sale:
 * first expired, first out, so that the earliest best-by date comes first. Each box is looked up by its id (`offset 0`): joined,
 * the planner walks all boxes in search of the few that are not sealed.
 * @param but an order whose own boxes don't count as sold
 * @param allowed the only boxes to return; null: all
 */
async function boxesOfProducts(
  db: Db | Tx,
  productIds: readonly string[],
  { but, allowed = null }: { but?: string; allowed?: readonly string[] | null } = {},
): Promise<PackingBox[]> {
  const found = await rows<Row>(
    db,
    sql`select pb.product_id, pb.unit, pb.box_id, b.caught_at::text as caught_at,
          b.summary->>'bestBy' as best_by,
          coalesce(pb.quantity, 0)::float8 as quantity, sold.amounts as sold, lost.amounts as lost
        from product_boxes pb cross join lateral (select * from boxes where id = pb.box_id offset 0) b
        ${takenFromBox(but)}
        where pb.product_id = any(${sql.param(productIds)}::text[]) and not b.sealed and not ${isStopped(sql`b`)}
          and (${allowed === null} or pb.box_id = any(${sql.param(allowed ?? [])}::text[]))
        order by b.summary->>'bestBy' nulls last, b.caught_at nulls last, pb.box_id collate "C"`,
  )
  return found.map(({ product_id, box_id, caught_at, best_by, ...link }) => {
    const { value: left, unit: counted } = leftOfLink(link)
    return {
      product_id,
      boxID: box_id,
      caughtAt: caught_at === null ? null : new Date(caught_at).toISOString(),
      bestBy: best_by,
      left,
      counted,
    }
  })
}

/** Positions of those lines whose product comes from boxes, and so is packed with a box or with a reason. */
export async function boxedPositions(
  db: Db | Tx,
  lines: readonly { position: number; productId: string }[],
): Promise<number[]> {
  const ids = [...new Set(lines.map(({ productId }) => productId))]
  const found = await rows<{ id: string }>(
    db,
    sql`select distinct product_id as id from product_boxes where product_id = any(${sql.param(ids)}::text[])`,
  )
  const boxed = new Set(found.map(({ id }) => id))
  return lines.filter(({ productId }) => boxed.has(productId)).map(({ position }) => position)
}
