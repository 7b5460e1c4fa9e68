import { stockStep } from '@befaqt/domain/catalogue-steps'
import { type Cents, cents, NO_MONEY } from '@befaqt/domain/money'
import type { Fulfilment } from '@befaqt/domain/order'
import { orderNumber } from '@befaqt/domain/order-documents'
import type { FulfilmentKind } from '@befaqt/domain/order-states'
import { orderedGrams, TOLERANCE_PERCENT } from '@befaqt/domain/order-totals'
import { type PaymentMethod, takesCard } from '@befaqt/domain/payment'
import { plus } from '@befaqt/domain/quantity'
import { sql } from 'drizzle-orm'
import type { CatalogueTx } from '#server/catalogue/change-catalogue.ts'
import { changeStock } from '#server/catalogue/products/bulk-change.ts'
import type { ProductRow } from '#server/catalogue/products/read-products.ts'
import type { Tx } from '#server/db/client.ts'
import type { Locks } from '#server/db/lock.ts'
import { numberSequences, orderContacts, orderEvents, orderLines, orders } from '#server/db/schema/orders.ts'
import type { WaitingLine } from '#server/db/schema/waiting-orders.ts'
import { fieldError } from '#server/http/field-error.ts'
import { type AvailableProduct, type HoldOwner, lockAvailable } from './available-stock.ts'
import type { OrderDeps } from './order-deps.ts'
import { type ContactRow, totalsOfOrder } from './order-views.ts'
import { assertSlotShare, lockSlot, type SlotRow } from './slots.ts'

/** A line before its order has an id. */
export type NewLine = WaitingLine

type Asked = {
  lines: readonly { product_id: string; quantity: number }[]
  kind: FulfilmentKind
  slot: string
  address?: { postcode: string } | undefined
  payment: PaymentMethod
}

/** What an order is about, locked and there to be taken until the transaction ends. */
export type Goods = {
  products: ReadonlyMap<string, AvailableProduct>
  lines: readonly NewLine[]
  slot: SlotRow
}

/** How and when an order reaches its buyer, in one shape for both kinds. */
export const whereTo = (fulfilment: Fulfilment) => ({
  kind: fulfilment.kind,
  slot: fulfilment.slot,
  address: fulfilment.kind === 'delivery' ? fulfilment.address : undefined,
})

/**
 * Locks products and slot and checks that all of it is left for this shopper.
 * @param network keyed hash of the network that may take only a share; null: it may take all
 * @throws ShopError `stock.insufficient`, `slot.unavailable`, `input.invalid` for a card that is not taken
 */
export async function lockGoods(
  tx: CatalogueTx,
  locks: Locks<'products' | 'slots'>,
  deps: OrderDeps,
  { lines: wanted, kind, slot: slotId, address, payment }: Asked,
  { owner, network, isAgreed }: { owner: HoldOwner; network: string | null; isAgreed?: boolean | undefined },
): Promise<Goods> {
  const rules = deps.siteFile.orders
  const [products, left] = await lockAvailable(tx, locks, wanted, owner, { rules, network, isAgreed })
  const lines = wanted.map(({ product_id, quantity }, i) => {
    const product = products.get(product_id)
    if (product === undefined) throw new Error('an available product is locked')
    return newLine(product, quantity, i + 1)
  })
  const slot = await lockSlot(left, slotId, owner, { kind, postcode: address?.postcode })
  if (network !== null) await assertSlotShare(tx, slot, owner, { rules, network })
  if (payment === 'card') assertCard(deps, totalsOfOrder(lines, NO_MONEY).total, slot)
  return { products, lines, slot }
}

const newLine = (product: ProductRow, quantity: number, position: number): NewLine => ({
  position,
  productId: product.id,
  title: product.title,
  priceCents: product.priceCents,
  discount: product.discount,
  unit: product.unit,
  includeGst: product.includeGst,
  quantity,
  orderedGrams: orderedGrams(product.unit, quantity),
  origin: product.origin || null,
})

/** @throws ShopError `input.invalid` when this order can't be paid by card */
function assertCard({ payments, now }: OrderDeps, total: Cents, { endsAt }: SlotRow): void {
  if (payments === null) throw fieldError('payment', 'can’t be by card here. You pay when you get it.')
  if (!takesCard(total, endsAt.getTime(), now().getTime()))
    throw fieldError(
      'payment',
      'can’t be by card for this time or total. Choose an earlier time, or pay when you get it.',
    )
}

/** `who`: actor id for the order's history, null: a guest; `network`: which it counts for until it is confirmed. */
type Taking = {
  id: string
  userId: string | null
  who: string | null
  contact: Omit<ContactRow, 'orderId' | 'userId' | 'search'>
  network: string | null
  confirmed: boolean
}

/** Takes locked goods out of the stock and into an order. Returns whether cards show another stock now. */
export async function takeGoods(
  tx: CatalogueTx,
  deps: OrderDeps,
  { products, lines, slot }: Goods,
  taking: Taking,
): Promise<boolean> {
  await changeStock(tx, new Map(lines.map(({ productId, quantity }) => [productId, -quantity])))
  await insertOrder(tx, deps, { lines, slot }, taking)
  return lines.some(({ productId, quantity }) => {
    const before = products.get(productId)?.sellable ?? 0
    return stockStep(before) !== stockStep(plus(before, -quantity))
  })
}

async function insertOrder(
  tx: CatalogueTx,
  { siteFile }: OrderDeps,
  { lines, slot }: Pick<Goods, 'lines' | 'slot'>,
  { id, userId, who, contact, network, confirmed }: Taking,
): Promise<void> {
  const { total } = totalsOfOrder(lines, NO_MONEY)
  const { year, count } = await nextNumber(tx, 'order', siteFile.market.timeZone)
  await tx.insert(orders).values({
    id,
    number: orderNumber(year, count),
    userId,
    status: 'PLACED',
    kind: slot.kind,
    slotId: slot.id,
    slotStartsAt: slot.startsAt,
    agreedCents: cents(total),
    tolerancePercent: TOLERANCE_PERCENT,
    deliveryCents: NO_MONEY,
    totalCents: cents(total),
    network,
    confirmedAt: confirmed ? sql`clock_timestamp()` : null,
  })
  await tx.insert(orderContacts).values({ orderId: id, userId, ...contact })
  await tx.insert(orderLines).values(lines.map((line) => ({ ...line, orderId: id })))
  await tx.insert(orderEvents).values({ orderId: id, status: 'PLACED', who })
}

/**
 * The next number of a sequence that starts anew each year of market time, by the database's clock. Its row is locked
 * until the transaction ends: no number is given twice, and one that was rolled back is given again. Take it last.
 */
export async function nextNumber(
  tx: Tx,
  sequence: 'order' | 'invoice',
  timeZone: string,
): Promise<{ year: number; count: number }> {
  const year = sql`extract(year from clock_timestamp() at time zone ${timeZone})::int`
  const [next] = await tx
    .insert(numberSequences)
    .values({ name: sql`${`${sequence}-`}::text || ${year}`, last: 1 })
    .onConflictDoUpdate({ target: numberSequences.name, set: { last: sql`${numberSequences.last} + 1` } })
    .returning()
  if (next === undefined) throw new Error(`the sequence ${sequence} has no number`)
  return { year: Number(next.name.slice(-4)), count: next.last }
}
