import { amountIn, compare, subtract } from '@befaqt/domain/amount'
import type { Undecided } from '@befaqt/domain/api/order-api'
import type { RecallView, UndecidedOrder } from '@befaqt/domain/api/recall-api'
import type { NoticeState } from '@befaqt/domain/box-history'
import { eq, type SQL, sql } from 'drizzle-orm'
import { actorNames } from '#server/audit/history.ts'
import { amountWanted, backingOf, isPlaced, isStopped, wantsBox } from '#server/catalogue/index.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { recalls } from '#server/db/schema/recalls.ts'
import { boxOrders } from '../box-sales.ts'
import { type Notice, noticesOf } from './recall-notices.ts'

export type RecallRow = typeof recalls.$inferSelect

/** The recall of a box that is in force; undefined: it is not recalled. */
export async function findRecall(db: Db | Tx, boxID: string): Promise<RecallRow | undefined> {
  const [found] = await db
    .select({ recall: recalls })
    .from(boxes)
    .innerJoin(recalls, eq(recalls.id, boxes.recallId))
    .where(eq(boxes.id, boxID))
  return found?.recall
}

/** The recall of a box with whom it concerns, or whom it would. @throws ShopError `box.not_found` */
export async function recallView(db: Db | Tx, boxID: string): Promise<RecallView> {
  const bought = await boxOrders(db, boxID)
  const recall = await findRecall(db, boxID)
  const notices = recall === undefined ? new Map<string, Notice>() : await noticesOf(db, recall.id)
  const names = recall === undefined ? undefined : await actorNames(db, [recall.who])
  return {
    boxID,
    recall: recall
      ? {
          reason: recall.reason,
          at: recall.at,
          inHistory: recall.seq !== null,
          by: names?.get(recall.who) ?? null,
        }
      : null,
    toDecide: await ordersToDecide(db, boxID),
    orders: bought.map((order) => {
      const notice = notices.get(order._id)
      return {
        ...order,
        notice: stateOf(notice?.state, order.contact !== null),
        noticeError: notice?.error ?? '',
      }
    }),
  }
}

/** A buyer whose account was deleted after the email was sent counts as notified. */
const stateOf = (state: NoticeState | undefined, hasContact: boolean): NoticeState =>
  state === 'sent' || hasContact ? (state ?? 'none') : 'no contact'

/** Why somebody has to decide about a line, in the order in which it is told. */
const gravest: readonly Undecided[] = ['recalled', 'off sale', 'short']

type LineWhy = { orderId: string; position: number; why: Undecided }
type Placed = { orderId: string; position: number; productId: string; unit: string; amount: number }

/**
 * Lines of orders in the shop about which somebody has to decide, since a box was recalled or taken off sale: those that
 * come from such a box, and those whose product has no longer enough behind it, of which the first orders get what there
 * is. Nothing of this is stored: it ends when the box is on sale again, or something was decided.
 * @param only of this order
 * @param asIf as if this box were recalled already
 * @returns by order, the lines by their positions
 */
export async function linesToDecide(
  db: Db | Tx,
  { only, asIf }: { only?: string; asIf?: string } = {},
): Promise<Map<string, Map<number, Undecided>>> {
  const stopped = asIf === undefined ? isStopped(sql`x`) : sql`(${isStopped(sql`x`)} or x.id = ${asIf})`
  const found = [
    ...(await fromStoppedBoxes(db, stopped, { only, asIf })),
    ...(await withTooLittle(db, stopped, asIf)),
  ]
  const byOrder = new Map<string, Map<number, Undecided>>()
  for (const { orderId, position, why } of found) {
    if (only !== undefined && orderId !== only) continue
    const lines = byOrder.get(orderId) ?? new Map<number, Undecided>()
    const before = lines.get(position)
    if (before === undefined || gravest.indexOf(why) < gravest.indexOf(before)) lines.set(position, why)
    byOrder.set(orderId, lines)
  }
  return byOrder
}

/** The gravest reason among the lines of an order; null: there is nothing to decide. */
export const gravestOf = (lines: ReadonlyMap<number, Undecided> | undefined): Undecided | null =>
  gravest.find((why) => lines !== undefined && [...lines.values()].includes(why)) ?? null

const fromStoppedBoxes = (
  db: Db | Tx,
  stopped: SQL,
  { only, asIf }: { only: string | undefined; asIf: string | undefined },
): Promise<LineWhy[]> =>
  rows(
    db,
    sql`select b.order_id as "orderId", b.position,
          case when x.recall_id is not null or x.id = ${asIf ?? ''} then 'recalled' else 'off sale' end as why
        from boxes x join order_line_boxes b on b.box_id = x.id join orders o on o.id = b.order_id
        where ${stopped} and o.status in ('PLACED', 'PACKED', 'READY')
          and (${only === undefined} or o.id = ${only ?? ''})`,
  )

/** Placed lines without a box, of products that have a stopped one and no longer enough in the others. */
async function withTooLittle(db: Db | Tx, stopped: SQL, asIf: string | undefined): Promise<LineWhy[]> {
  const placed = await rows<Placed>(
    db,
    sql`select o.id as "orderId", l.position, l.product_id as "productId", l.unit,
          ${amountWanted(sql`l`)}::float8 as amount
        from orders o join order_lines l on l.order_id = o.id
        where ${isPlaced(sql`o`)} and ${wantsBox(sql`l`)}
          and exists (select from product_boxes pb join boxes x on x.id = pb.box_id
            where pb.product_id = l.product_id and ${stopped})
        order by o.created_at, o.id, l.position`,
  )
  const backing = await backingOf(db, [...new Set(placed.map(({ productId }) => productId))], asIf)
  const left = new Map([...backing].map(([id, { held }]) => [id, held]))
  return placed.flatMap(({ orderId, position, productId, unit, amount }) => {
    const wanted = amountIn(unit, amount)
    const rest = left.get(productId)
    if (rest === null) return [] // a box that states no amount bounds nothing
    if (rest === undefined || rest.unit !== wanted.unit || compare(wanted, rest) > 0)
      return [{ orderId, position, why: 'short' as const }]
    left.set(productId, subtract(rest, wanted))
    return []
  })
}

/** The orders about which somebody has to decide because of this box, or would if it were stopped; by number. */
async function ordersToDecide(db: Db | Tx, boxID: string): Promise<UndecidedOrder[]> {
  const undecided = await linesToDecide(db, { asIf: boxID })
  const ids = [...undecided.keys()]
  if (ids.length === 0) return []
  const lines = await rows<{
    _id: string
    number: string
    status: UndecidedOrder['status']
    position: number
    title: string
  }>(
    db,
    sql`select o.id as _id, o.number, o.status, l.position, l.title
        from orders o join order_lines l on l.order_id = o.id
        where o.id = any(${sql.param(ids)}::text[]) and (
          exists (select from order_line_boxes b
            where b.order_id = l.order_id and b.position = l.position and b.box_id = ${boxID})
          or exists (select from product_boxes pb where pb.product_id = l.product_id and pb.box_id = ${boxID}))
        order by o.number, l.position`,
  )
  const byOrder = Map.groupBy(lines, ({ _id }) => _id)
  return [...byOrder.values()].flatMap((all) => {
    const [first] = all
    const inQuestion = all.flatMap(({ _id, position, title }) => {
      const why = undecided.get(_id)?.get(position)
      return why === undefined ? [] : [{ title, why }]
    })
    if (first === undefined || inQuestion.length === 0) return []
    const { _id, number, status } = first
    return [{ _id, number, status, lines: inQuestion }]
  })
}
