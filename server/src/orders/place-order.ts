import { randomUUID } from 'node:crypto'
import type { PlacedOrder } from '@befaqt/domain/api/order-api'
import { ShopError } from '@befaqt/domain/errors'
import { type Cents, cents, NO_MONEY } from '@befaqt/domain/money'
import type { PlaceOrder } from '@befaqt/domain/order'
import { orderNumber } from '@befaqt/domain/order-number'
import { orderedGrams, TOLERANCE_PERCENT } from '@befaqt/domain/order-weight'
import { takesCard } from '@befaqt/domain/payment'
import { stockStep } from '@befaqt/domain/stock-step'
import { and, eq } from 'drizzle-orm'
import { emailKey } from '#server/accounts/email-key.ts'
import { consume } from '#server/accounts/limits/rate-limit.ts'
import { type CatalogueTx, changeCatalogue } from '#server/catalogue/change-catalogue.ts'
import { changeStock } from '#server/catalogue/products/change-stock.ts'
import type { ProductRow } from '#server/catalogue/products/read-products.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { orderContacts, orderEvents, orderLines, orders } from '#server/db/schema/orders.ts'
import { fieldError } from '#server/http/field-error.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { lockAvailable } from './available-stock.ts'
import { assertAccount, removeHold, userIdOf } from './hold-stock.ts'
import { claimKey, type RepeatableRequest, storedResponse, storeResponse } from './idempotency.ts'
import { nextNumber } from './number-sequence.ts'
import { orderLink } from './order-access.ts'
import type { OrderDeps } from './order-deps.ts'
import { mailOrder } from './order-emails.ts'
import { ordersByNetwork, ordersByRecipient } from './order-limits.ts'
import { type OrderLineRow, placedView, totalsOfOrder } from './order-views.ts'
import { amountOf, insertPayment } from './paying/start-payment.ts'
import { readWholeOrder } from './read-orders.ts'
import { lockSlot, type SlotRow } from './slots.ts'

type Stored = Omit<PlacedOrder, 'link'>
/** A line before its order has an id. */
type NewLine = Omit<
  OrderLineRow,
  'orderId' | 'weighedBy' | 'weighedAt' | 'scale' | 'noBoxReason' | 'leftOutReason'
>

/**
 * Places an order: stock, slot, number, order and email in one transaction, once for each key. `replayed`: it is the
 * response to the same request before.
 * @throws ShopError `stock.insufficient`, `price.changed`, `slot.unavailable`, `idempotency.running`,
 *   `idempotency.differs`, `rate.limited`, `auth.required`, `input.invalid` for a card that is not taken
 */
export async function placeOrder(
  deps: OrderDeps,
  principal: Principal,
  input: PlaceOrder,
  from: { request: RepeatableRequest; network: string },
): Promise<{ placed: PlacedOrder; replayed: boolean }> {
  const { request, network } = from
  assertAccount(principal, input)
  const before = await storedResponse(deps.db, request)
  if (before !== undefined) return answer(deps, before, true)
  await consume(deps.db, ordersByNetwork(network), deps.now())
  if (!(await isOwnEmail(deps.db, userIdOf(principal), input.contact.email)))
    await consume(deps.db, ordersByRecipient(input.contact.email), deps.now())
  const { response, replayed } = await changeCatalogue(
    deps,
    async (tx) => {
      const meanwhile = await claimKey(tx, request)
      if (meanwhile !== undefined) return { response: meanwhile, replayed: true, onCards: false }
      const { placed, onCards } = await place(tx, deps, principal, input)
      await storeResponse(tx, request, placed)
      return { response: JSON.stringify(placed), replayed: false, onCards }
    },
    ({ onCards }) => onCards,
    { products: input.lines.map(({ product_id }) => product_id) },
  )
  return answer(deps, response, replayed)
}

async function isOwnEmail(db: Db, userId: string | null, email: string): Promise<boolean> {
  if (userId === null) return false
  return (await db.$count(users, and(eq(users.id, userId), eq(users.emailKey, emailKey(email))))) > 0
}

/** The link is not stored with the response: it is as good as a password. */
function answer(deps: OrderDeps, response: string, replayed: boolean) {
  const stored: Stored = JSON.parse(response)
  return { placed: { ...stored, link: orderLink(deps, stored._id) }, replayed }
}

async function place(
  tx: CatalogueTx,
  deps: OrderDeps,
  principal: Principal,
  input: PlaceOrder,
): Promise<{ placed: Stored; onCards: boolean }> {
  const { fulfilment } = input
  const owner = { userId: userIdOf(principal), hold: input.hold }
  const products = await lockAvailable(tx, input.lines, owner, { rules: deps.siteFile.orders })
  const lines = input.lines.map(({ product_id, quantity }, i) => {
    const product = products.get(product_id)
    if (product === undefined) throw new Error('an available product is locked')
    return newLine(product, quantity, i + 1)
  })
  const { total } = totalsOfOrder(lines, NO_MONEY)
  checkTotal(input.expectedTotal, total, lines)
  const postcode = fulfilment.kind === 'delivery' ? fulfilment.address.postcode : undefined
  const slot = await lockSlot(tx, fulfilment.slot, owner, { kind: fulfilment.kind, postcode })
  if (input.payment === 'card') assertCard(deps, total, slot)
  const sold = new Map(lines.map(({ productId, quantity }) => [productId, -quantity]))
  await changeStock(tx, sold)
  const onCards = lines.some(({ productId, quantity }) => {
    const before = products.get(productId)?.sellable ?? 0
    return stockStep(before) !== stockStep(before - quantity)
  })
  await removeHold(tx, owner)
  const id = await insertOrder(tx, deps, principal, { input, lines, slot, total })
  const whole = await readWholeOrder(tx, id)
  if (input.payment === 'card') await insertPayment(tx, deps, { id, amount: amountOf(whole.order) })
  else await mailOrder(tx, deps, 'placed', whole) // one by card is confirmed when it is paid
  return { placed: placedView(whole), onCards }
}

/** @throws ShopError `input.invalid` when this order can't be paid by card */
function assertCard({ payments, now }: OrderDeps, total: Cents, { endsAt }: SlotRow): void {
  if (payments === null) throw fieldError('payment', 'can’t be by card here. You pay when you get it.')
  if (!takesCard(total, endsAt.getTime(), now().getTime()))
    throw fieldError(
      'payment',
      'can’t be by card for this time or total. Choose an earlier time, or pay when you get it.',
    )
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
  finalGrams: null,
  origin: product.origin || null,
})

/** @throws ShopError `price.changed` with the prices as they are, when the page showed another total */
function checkTotal(expected: number | undefined, total: number, lines: readonly NewLine[]): void {
  if (expected === undefined || expected === total) return
  throw new ShopError('price.changed', 'The total has changed in the meantime. Nothing was ordered.', {
    details: {
      total,
      lines: lines.map(({ productId, priceCents, discount, unit }) => ({
        product_id: productId,
        price: priceCents,
        discount,
        unit,
      })),
    },
  })
}

async function insertOrder(
  tx: Tx,
  { siteFile }: OrderDeps,
  principal: Principal,
  made: { input: PlaceOrder; lines: readonly NewLine[]; slot: SlotRow; total: number },
): Promise<string> {
  const { input, lines, slot } = made
  const userId = userIdOf(principal)
  const total = cents(made.total)
  const { year, count } = await nextNumber(tx, 'order', siteFile.market.timeZone)
  const id = randomUUID()
  await tx.insert(orders).values({
    id,
    number: orderNumber(year, count),
    userId,
    status: 'PLACED',
    kind: input.fulfilment.kind,
    slotId: slot.id,
    slotStartsAt: slot.startsAt,
    agreedCents: total,
    tolerancePercent: TOLERANCE_PERCENT,
    deliveryCents: NO_MONEY,
    totalCents: total,
  })
  const address = input.fulfilment.kind === 'delivery' ? input.fulfilment.address : null
  await tx.insert(orderContacts).values({ orderId: id, userId, ...input.contact, address, note: input.note })
  await tx.insert(orderLines).values(lines.map((line) => ({ ...line, orderId: id })))
  const who = principal.kind === 'anonymous' ? null : actorId(principal)
  await tx.insert(orderEvents).values({ orderId: id, status: 'PLACED', who })
  return id
}
