import {
  type Amount,
  amount,
  amountIn,
  amountOf,
  compare,
  leftInBox,
  orNone,
  sumOf,
} from '@befaqt/domain/amount'
import type { BoxBalance } from '@befaqt/domain/api/box-trade-api'
import type { BoxOrder } from '@befaqt/domain/api/order-api'
import { ShopError } from '@befaqt/domain/errors'
import { marketTime } from '@befaqt/domain/market-time'
import type { BoxLoss } from '@befaqt/domain/order'
import { asc, desc, eq, sql } from 'drizzle-orm'
import { addRecords, boxNotFound, gramsLeft, lockBox, type RecordingDeps } from '#server/boxes/index.ts'
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

/** What a box holds of a product, and what became of it. */
type Balance = { product_id: string } & Record<'in' | 'sold' | 'lost' | 'left', Amount>

/**
 * What is left of each product that a box is linked to or was sold from it. Each amount counts in the unit that it was
 * written down in, whatever the product's is now: what went in by weight and what went out by the piece are two balances.
 */
async function balancesOf(db: Db | Tx, boxID: string): Promise<Balance[]> {
  const found = await rows<Counted>(
    db,
    sql`select c.id, c.unit, sum(c.quantity)::float8 as quantity, sum(c.sold)::float8 as sold,
          sum(c.lost)::float8 as lost
        from (
          select b.product_id as id, b.unit, b.quantity, 0 as sold, 0 as lost
          from product_boxes b where b.box_id = ${boxID}
          union all
          select l.product_id, l.unit, 0, b.amount, 0
          from order_line_boxes b join order_lines l on l.order_id = b.order_id and l.position = b.position
          where b.box_id = ${boxID}
          union all
          select t.product_id, t.unit, 0, 0, t.amount from box_losses t where t.box_id = ${boxID}
        ) c group by c.id, c.unit order by c.id collate "C", c.unit collate "C"`,
  )
  const parts = found.map(({ id, unit, quantity, sold, lost }) => ({
    product_id: id,
    in: amountOf(unit, quantity),
    sold: amountIn(unit, sold),
    lost: amountIn(unit, lost),
  }))
  const groups = Map.groupBy(parts, ({ product_id, in: { unit } }) => `${unit} ${product_id}`)
  return [...groups.values()].flatMap((own) => {
    const [first] = own
    if (first === undefined) return []
    const sum = (name: 'in' | 'sold' | 'lost'): Amount =>
      sumOf(
        first.in.unit,
        own.map((part) => part[name]),
      )
    const amounts = { in: sum('in'), sold: sum('sold'), lost: sum('lost') }
    return [{ product_id: first.product_id, ...amounts, left: leftInBox(amounts) }]
  })
}

/** The mass balance of a box. @throws ShopError `box.not_found` */
export async function boxBalance(db: Db, boxID: string): Promise<BoxBalance[]> {
  await assertBox(db, boxID)
  const balances = await balancesOf(db, boxID)
  return balances.map(({ product_id, left, ...amounts }) => ({
    product_id,
    counted: left.unit,
    in: amounts.in.value,
    sold: amounts.sold.value,
    lost: amounts.lost.value,
    left: left.value,
  }))
}

/**
 * Checks that a box has so much of a product left, and where it was weighed, of all products together. The box must be
 * locked.
 * @throws ShopError `box.insufficient`, details `{ boxID, product_id, left }`
 */
export async function assertLeft(
  tx: Tx,
  boxID: string,
  wanted: readonly { product_id: string; amount: Amount }[],
): Promise<void> {
  const balances = await balancesOf(tx, boxID)
  const groups = Map.groupBy(wanted, ({ product_id, amount: { unit } }) => `${unit} ${product_id}`)
  for (const parts of groups.values()) {
    const [first] = parts
    if (first === undefined) continue
    const { unit } = first.amount
    const needed = sumOf(
      unit,
      parts.map((part) => part.amount),
    )
    const { product_id } = first
    const balance = balances.find((one) => one.product_id === product_id && one.left.unit === unit)
    const left = orNone(balance?.left ?? amount(0, unit))
    if (compare(needed, left) > 0) throw insufficient(boxID, product_id, left.value)
  }
  const weighed = wanted.filter(({ amount: { unit } }) => unit === 'grams')
  const [first] = weighed
  const left = first && (await gramsLeft(tx, boxID))
  const grams = weighed.reduce((sum, { amount: { value } }) => sum + value, 0)
  if (first !== undefined && left != null && grams > left) throw insufficient(boxID, first.product_id, left)
}

const insufficient = (boxID: string, productId: string, left: number): ShopError =>
  new ShopError('box.insufficient', `Box ${boxID} doesn’t have that much left.`, {
    details: { boxID, product_id: productId, left },
  })

/** An amount of a product as records state it: grams, or pieces of what is counted, whatever makes a piece. */
export const amountData = (title: string, { value, unit }: Amount) => ({
  product: title,
  ...(unit === 'grams' ? { grams: value } : { pieces: value }),
})

/**
 * Records what was lost of a product in a box. Returns the place of its record in the history.
 * @throws ShopError `box.not_found`, `box.sealed`, `box.insufficient`, `input.invalid` for a product not in the box
 */
export async function addLoss(
  deps: RecordingDeps,
  principal: Principal,
  boxID: string,
  { product_id, amount: value, reason }: BoxLoss,
): Promise<number> {
  const { seq } = await changeCatalogue(
    deps,
    async (tx) => {
      await lockBox(tx, boxID)
      const product = await linkedProduct(tx, boxID, product_id)
      const { unit } = product
      const lost = amountIn(unit, value)
      await assertLeft(tx, boxID, [{ product_id, amount: lost }])
      const who = actorId(principal)
      await tx
        .insert(boxLosses)
        .values({ boxId: boxID, productId: product_id, amount: value, unit, reason, who })
      const at = marketTime(deps.now().getTime(), deps.siteFile.market.timeZone)
      const data = { ...amountData(product.title, lost), reason }
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
    sql`select p.title, pb.unit from products p join product_boxes pb on pb.product_id = p.id
        where p.id = ${productId} and pb.box_id = ${boxID}`,
  )
  if (found === undefined) throw fieldError('product_id', 'This product does not come from this box.')
  return found
}
