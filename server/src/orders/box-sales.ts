import type { BoxBalance } from '@befaqt/domain/api/box-trade-api'
import type { BoxOrder } from '@befaqt/domain/api/order-api'
import { ShopError } from '@befaqt/domain/errors'
import { marketTime } from '@befaqt/domain/market-time'
import type { BoxLoss } from '@befaqt/domain/order'
import { leftInBox } from '@befaqt/domain/order-totals'
import { gramsPerUnit, wholeAmount } from '@befaqt/domain/quantity'
import { asc, desc, eq, sql } from 'drizzle-orm'
import { addRecords, boxNotFound, lockBox, type RecordingDeps } from '#server/boxes/index.ts'
import { affectsCatalogue, type CatalogueTx, changeCatalogue } from '#server/catalogue/index.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { boxLosses, orderContacts, orderLineBoxes, orderLines, orders } from '#server/db/schema/orders.ts'
import { timeText } from '#server/db/stored-values.ts'
import { fieldError } from '#server/http/field-error.ts'
import { actorId, allowedBoxes, type Principal } from '#server/identity/principal.ts'
import { contactView } from './order-views.ts'

/** @throws ShopError `box.not_found` */
async function assertBox(db: Db | Tx, boxID: string): Promise<void> {
  const [found] = await db.select({ id: boxes.id }).from(boxes).where(eq(boxes.id, boxID))
  if (found === undefined) throw boxNotFound()
}

/**
 * Who bought from a box, the newest first.
 * @param principal for whom it is read; a key for some boxes is not told who the buyers are
 * @throws ShopError `box.not_found`
 */
export async function boxOrders(db: Db | Tx, boxID: string, principal?: Principal): Promise<BoxOrder[]> {
  const isLimited = principal !== undefined && allowedBoxes(principal) !== null
  await assertBox(db, boxID)
  const found = await db
    .select({
      order: orders,
      contact: orderContacts,
      line: { title: orderLines.title, unit: orderLines.unit, amount: orderLineBoxes.amount },
    })
    .from(orderLineBoxes)
    .innerJoin(
      orderLines,
      sql`${orderLines.orderId} = ${orderLineBoxes.orderId} and ${orderLines.position} = ${orderLineBoxes.position}`,
    )
    .innerJoin(orders, eq(orders.id, orderLineBoxes.orderId))
    .leftJoin(orderContacts, eq(orderContacts.orderId, orders.id))
    .where(eq(orderLineBoxes.boxId, boxID))
    .orderBy(desc(orders.createdAt), desc(orders.id), asc(orderLines.position))
  const byOrder = Map.groupBy(found, ({ order }) => order.id)
  return [...byOrder.values()].flatMap((lines) => {
    const [first] = lines
    if (first === undefined) return []
    const { order, contact } = first
    return [
      {
        _id: order.id,
        number: order.number,
        status: order.status,
        kind: order.kind,
        contact: isLimited ? null : contactView(contact),
        lines: lines.map(({ line }) => line),
        createdAt: timeText(order.createdAt),
      },
    ]
  })
}

type Counted = { id: string; unit: string; quantity: number; sold: number; lost: number }

/** Grams or pieces: what amounts of something in this unit are. */
const countedIn = (unit: string): BoxBalance['counted'] => (gramsPerUnit(unit) === null ? 'pieces' : 'grams')

/**
 * What is left of each product that a box is linked to or was sold from it. Each amount counts in the unit that it was
 * written down in, whatever the product's is now: what went in by weight and what went out by the piece are two balances.
 */
export async function balancesOf(db: Db | Tx, boxID: string): Promise<BoxBalance[]> {
  const found = await rows<Counted>(
    db,
    sql`select c.id, c.unit, sum(c.quantity)::float8 as quantity, sum(c.sold)::float8 as sold,
          sum(c.lost)::float8 as lost
        from (
          select p.id, coalesce(b.unit, p.unit) as unit, b.quantity, 0 as sold, 0 as lost
          from product_boxes b join products p on p.id = b.product_id where b.box_id = ${boxID}
          union all
          select l.product_id, l.unit, 0, b.amount, 0
          from order_line_boxes b join order_lines l on l.order_id = b.order_id and l.position = b.position
          where b.box_id = ${boxID}
          union all
          select p.id, coalesce(t.unit, p.unit), 0, 0, t.amount
          from box_losses t join products p on p.id = t.product_id where t.box_id = ${boxID}
        ) c group by c.id, c.unit order by c.id collate "C", c.unit collate "C"`,
  )
  const groups = Map.groupBy(found, ({ id, unit }) => `${countedIn(unit)} ${id}`)
  return [...groups.values()].flatMap((parts) => {
    const [first] = parts
    if (first === undefined) return []
    const sum = (amount: (part: Counted) => number): number => parts.reduce((n, part) => n + amount(part), 0)
    const amounts = {
      in: sum(({ unit, quantity }) => wholeAmount(unit, quantity)),
      sold: sum(({ sold }) => sold),
      lost: sum(({ lost }) => lost),
    }
    return [{ product_id: first.id, counted: countedIn(first.unit), ...amounts, left: leftInBox(amounts) }]
  })
}

/** As `balancesOf`. @throws ShopError `box.not_found` */
export async function boxBalance(db: Db, boxID: string): Promise<BoxBalance[]> {
  await assertBox(db, boxID)
  return balancesOf(db, boxID)
}

/**
 * Checks that a box has so much of a product left. The box must be locked.
 * @throws ShopError `box.insufficient`, details `{ boxID, product_id, left }`
 */
export async function assertLeft(
  tx: Tx,
  boxID: string,
  wanted: readonly { product_id: string; unit: string; amount: number }[],
): Promise<void> {
  const balances = await balancesOf(tx, boxID)
  const needed = Map.groupBy(wanted, ({ product_id, unit }) => `${countedIn(unit)} ${product_id}`)
  for (const [key, parts] of needed) {
    const product_id = parts[0]?.product_id ?? ''
    const amount = parts.reduce((sum, part) => sum + part.amount, 0)
    const balance = balances.find((one) => `${one.counted} ${one.product_id}` === key)
    const left = Math.max(0, balance?.left ?? 0)
    if (amount > left)
      throw new ShopError('box.insufficient', `Box ${boxID} doesn’t have that much left.`, {
        details: { boxID, product_id, left },
      })
  }
}

/** An amount of a product: grams, or pieces of what is counted. */
export const amountData = (title: string, unit: string, amount: number) => ({
  product: title,
  ...(gramsPerUnit(unit) === null ? { pieces: amount } : { grams: amount }),
})

/**
 * Records what was lost of a product in a box. Returns the place of its record in the history.
 * @throws ShopError `box.not_found`, `box.sealed`, `box.insufficient`, `input.invalid` for a product not in the box
 */
export async function addLoss(
  deps: RecordingDeps,
  principal: Principal,
  boxID: string,
  { product_id, amount, reason }: BoxLoss,
): Promise<number> {
  const { seq } = await changeCatalogue(
    deps,
    async (tx) => {
      await lockBox(tx, boxID)
      const product = await linkedProduct(tx, boxID, product_id)
      await assertLeft(tx, boxID, [{ product_id, unit: product.unit, amount }])
      const who = actorId(principal)
      const { unit } = product
      await tx.insert(boxLosses).values({ boxId: boxID, productId: product_id, amount, unit, reason, who })
      const at = marketTime(deps.now().getTime(), deps.siteFile.market.timeZone)
      const data = { ...amountData(product.title, product.unit, amount), reason }
      const fact = { kind: 'loss' as const, at, by: who, data, changesFreshness: false }
      const { appended } = await addRecords(tx, deps, boxID, [fact])
      return { seq: appended[0]?.seq ?? 0, isChange: await affectsCatalogue(tx, [boxID]) } // less may be sold
    },
    ({ isChange }) => isChange,
    { boxes: [boxID] },
  )
  return seq
}

async function linkedProduct(
  tx: CatalogueTx,
  boxID: string,
  productId: string,
): Promise<{ title: string; unit: string }> {
  const [found] = await rows<{ title: string; unit: string }>(
    tx,
    sql`select p.title, coalesce(pb.unit, p.unit) as unit from products p join product_boxes pb on pb.product_id = p.id
        where p.id = ${productId} and pb.box_id = ${boxID}`,
  )
  if (found === undefined) throw fieldError('product_id', 'This product does not come from this box.')
  return found
}
