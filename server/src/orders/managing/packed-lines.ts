import { type Amount, amount, amountIn, amountOf, compare, sumOf } from '@befaqt/domain/amount'
import { asOf } from '@befaqt/domain/freshness-facts'
import { type AsOf, freshnessAt } from '@befaqt/domain/freshness-word'
import type { PackedLines } from '@befaqt/domain/order'
import { eq, sql } from 'drizzle-orm'
import { assertOnSale, boxNotFound, boxSealed } from '#server/boxes/index.ts'
import { boxOnCard } from '#server/catalogue/index.ts'
import type { Tx } from '#server/db/client.ts'
import type { Locks } from '#server/db/lock.ts'
import type { boxes as boxTable } from '#server/db/schema/boxes.ts'
import { orderLineBoxes, orders } from '#server/db/schema/orders.ts'
import { fieldError } from '#server/http/field-error.ts'
import { assertLeft } from '#server/orders/box-sales.ts'
import type { OrderDeps } from '#server/orders/order-deps.ts'
import { mailAct } from '#server/orders/order-emails.ts'
import { totalsOfOrder } from '#server/orders/order-totals.ts'
import { asksBuyer, type OrderLineRow, type WholeOrder } from '#server/orders/order-views.ts'
import { boxedPositions } from './managed-order.ts'

/** What was packed of a line, beside the line. */
export type Packed = Omit<PackedLines['lines'][number], 'boxes'> & {
  boxes: { boxID: string; amount: Amount }[]
  line: OrderLineRow
}

/** The lines that were packed. @throws ShopError `input.invalid` with the path of what does not fit */
export function matchLines({ lines }: WholeOrder, input: PackedLines): Packed[] {
  return input.lines.map((packed, i) => {
    const line = lines.find(({ position }) => position === packed.position)
    if (line === undefined) throw fieldError(`lines[${i}].position`, 'There is no such line.')
    if (line.leftOutReason !== null) throw fieldError(`lines[${i}].position`, 'It was left out of the order.')
    const isWeighed = line.orderedGrams !== null
    if (isWeighed !== (packed.grams !== undefined))
      throw fieldError(
        `lines[${i}].grams`,
        isWeighed ? 'Its weight is missing.' : 'It is not sold by weight.',
      )
    const all =
      packed.grams === undefined ? amountOf(line.unit, line.quantity) : amount(packed.grams, 'grams')
    const boxes = packed.boxes.map((box) => ({ ...box, amount: amountIn(line.unit, box.amount) }))
    const sum = sumOf(
      all.unit,
      boxes.map(({ amount }) => amount),
    )
    if (boxes.length > 0 && compare(sum, all) !== 0)
      throw fieldError(`lines[${i}].boxes`, `The boxes must add up to ${all.value}, not ${sum.value}.`)
    return { ...packed, boxes, line }
  })
}

/** What comes from boxes names one, or says why not. @throws ShopError `input.invalid` */
export async function assertBoxNamed(tx: Tx, packed: readonly Packed[]): Promise<void> {
  const boxed = await boxedPositions(
    tx,
    packed.map(({ line }) => line),
  )
  const at = packed.findIndex(
    ({ position, boxes, noBox }) => boxes.length === 0 && noBox === undefined && boxed.includes(position),
  )
  if (at >= 0) throw fieldError(`lines[${at}].boxes`, 'Name the box it is from, or say why it is from none.')
}

type LineBox = WholeOrder['boxes'][number]

/** Assigns boxes, which it locks, with how fresh they are said to be now. */
export async function assignBoxes(
  locks: Locks<'boxes'>,
  { now, siteFile }: Pick<OrderDeps, 'now' | 'siteFile'>,
  orderId: string,
  packed: readonly Packed[],
): Promise<LineBox[]> {
  const { tx } = locks
  const assigned = packed.flatMap(({ line, boxes }) => boxes.map((box) => ({ ...box, line })))
  const byBox = Map.groupBy(assigned, ({ boxID }) => boxID)
  const [held] = await locks.boxes(byBox.keys())
  const words = new Map<string, string | null>()
  for (const [boxID, parts] of byBox) {
    const box = held.get(boxID)
    if (box === undefined) throw boxNotFound()
    assertOnSale(box)
    if (box.sealed) throw boxSealed()
    words.set(boxID, wordOf(box, asOf(now().getTime(), siteFile.market.timeZone), siteFile.market.timeZone))
    const wanted = parts.map(({ line, amount }) => ({ product_id: line.productId, amount }))
    await assertLeft(tx, boxID, wanted)
  }
  const boxes = assigned.map(({ line, boxID, amount }) => ({
    orderId,
    position: line.position,
    boxId: boxID,
    amount,
    word: words.get(boxID) ?? null,
    saleSeq: null,
  }))
  const values = boxes.map((box) => ({ ...box, amount: box.amount.value }))
  if (values.length > 0) await tx.insert(orderLineBoxes).values(values)
  return boxes.map((box) => ({ ...box, recall: null })).sort((a, b) => (a.boxId < b.boxId ? -1 : 1))
}

const wordOf = (
  box: Pick<typeof boxTable.$inferSelect, 'id' | 'summary'>,
  when: AsOf,
  timeZone: string,
): string | null => {
  const shown = boxOnCard(box, timeZone)
  return shown && freshnessAt(shown, when).word
}

/** Is every line weighed that is sold by weight? */
export const isWeighed = ({ lines }: Pick<WholeOrder, 'lines'>): boolean =>
  lines.every(
    ({ orderedGrams, finalGrams, leftOutReason }) =>
      orderedGrams === null || finalGrams !== null || leftOutReason !== null,
  )

/** Stores the total of the lines as they are now, and asks the buyer where it has to. */
export async function writeTotal(tx: Tx, deps: OrderDeps, now: WholeOrder): Promise<WholeOrder> {
  const { order: before } = now
  const { total, coupon = 0 } = totalsOfOrder(now.lines, before)
  const [order] = await tx
    .update(orders)
    .set({
      totalCents: total,
      couponCents: coupon,
      version: before.version + 1,
      updatedAt: sql`clock_timestamp()`,
    })
    .where(eq(orders.id, before.id))
    .returning()
  const after = { ...now, order: order ?? before }
  const mayAsk = isWeighed(after) && asksBuyer(after.order)
  if (mayAsk && total !== before.totalCents) await mailAct(tx, deps, 'weigh', after)
  return after
}
