import type { UsedCoupon } from '@befaqt/domain/coupon'
import { ShopError } from '@befaqt/domain/errors'
import type { Cents } from '@befaqt/domain/money'
import type { Fulfilment, PlaceOrder } from '@befaqt/domain/order'
import { orderNumber } from '@befaqt/domain/order-documents'
import type { FulfilmentKind } from '@befaqt/domain/order-states'
import { deliveryTerms, TOLERANCE_PERCENT } from '@befaqt/domain/order-totals'
import { type PaymentMethod, takesCard } from '@befaqt/domain/payment'
import { sql } from 'drizzle-orm'
import { type CatalogueTx, changeStock } from '#server/catalogue/index.ts'
import { lockAllNamed } from '#server/db/advisory-locks.ts'
import type { Tx } from '#server/db/client.ts'
import type { Locks } from '#server/db/lock.ts'
import { numberSequences, orderContacts, orderEvents, orderLines, orders } from '#server/db/schema/orders.ts'
import { fieldError } from '#server/http/field-error.ts'
import { AvailableStock, inRequest, lockBackings, type Shopper } from './available-stock.ts'
import { AvailableTimes } from './available-times.ts'
import { type AppliedCoupon, AvailableCoupons, type CouponWish } from './coupons/available-coupons.ts'
import { assertUnits, type NewLine, newLine, pricedNow } from './new-lines.ts'
import { OpenHolds } from './open-holds.ts'
import type { OrderDeps } from './order-deps.ts'
import { type AgreedDelivery, deliveryBy, inOneLine, type PricedLine, totalsOfOrder } from './order-totals.ts'
import type { ContactRow } from './order-views.ts'
import { announceSlots, type SlotRow } from './slots.ts'

type Asked = {
  lines: PlaceOrder['lines']
  kind: FulfilmentKind
  slot: string
  address?: { postcode: string } | undefined
  payment: PaymentMethod
  coupon?: CouponWish | undefined
}

/** What an order is about, locked and there to be taken until the transaction ends. */
export type Goods = { lines: readonly NewLine[]; slot: SlotRow } & Terms

/** What is said of an order beside what it is about. */
type Terms = { coupon: AppliedCoupon | null; delivery: AgreedDelivery }

/** How and when an order reaches its buyer, in one shape for both kinds. */
export const whereTo = (fulfilment: Fulfilment) => ({
  kind: fulfilment.kind,
  slot: fulfilment.slot,
  address: fulfilment.kind === 'delivery' ? fulfilment.address : undefined,
})

/**
 * What is left of the products and slots that several shoppers ask for, locked until the transaction ends. They are asked
 * one after the other: what one takes, the next does not get.
 */
export class Available {
  readonly holds: OpenHolds
  readonly stock: AvailableStock
  readonly times: AvailableTimes
  readonly coupons: AvailableCoupons
  #isFilled = false

  private constructor(
    holds: OpenHolds,
    stock: AvailableStock,
    times: AvailableTimes,
    coupons: AvailableCoupons,
  ) {
    this.holds = holds
    this.stock = stock
    this.times = times
    this.coupons = coupons
  }

  /**
   * Locks what they ask for: first the shoppers, each of whom replaces the hold before, then products, with what weighed
   * boxes still give, then slots, then coupons.
   */
  static async lock(
    tx: CatalogueTx,
    { siteFile }: Pick<OrderDeps, 'siteFile'>,
    locks: Locks<'products' | 'slots' | 'coupons'>,
    wanted: { products: readonly string[]; slots: readonly string[]; coupons?: readonly CouponWish[] },
    shoppers: readonly Pick<Shopper, 'owner' | 'network'>[],
  ): Promise<Available> {
    const owners = shoppers.map(({ owner }) => owner)
    const names = owners.flatMap(({ userId, hold }) => userId ?? hold ?? [])
    await lockAllNamed(tx, 'checkout', names)
    const [products, left] = await locks.products(wanted.products)
    const backings = await lockBackings(tx, [...products.keys()])
    const [slots, last] = await left.slots(wanted.slots)
    const coupons = await AvailableCoupons.lock(last, wanted.coupons ?? [], siteFile.market.timeZone)
    const networks = [...new Set(shoppers.flatMap(({ network }) => network ?? []))]
    const ids = { products: backings.ids, slots: [...slots.keys()] }
    const holds = await OpenHolds.read(tx, { ...ids, owners, networks })
    return new Available(
      holds,
      await AvailableStock.read(tx, products, { backings, holds }, networks),
      await AvailableTimes.read(tx, slots, holds, networks),
      coupons,
    )
  }

  /**
   * Checks that all of it is left for this shopper.
   * @throws ShopError `stock.insufficient`, `slot.unavailable`, `coupon.refused`, `price.changed` for what is not prepared
   *   as it was chosen any more or sold by another unit, `input.invalid` for a card that is not taken
   */
  async goodsFor(
    deps: OrderDeps,
    { lines: wanted, kind, slot: id, address, payment, coupon: wish }: Asked,
    shopper: Shopper,
  ): Promise<Goods> {
    const rules = deps.siteFile.orders
    assertUnits(this.stock.products, wanted)
    const products = this.stock.check(inRequest(wanted), shopper, rules)
    const priced = wanted.map(({ product_id, quantity, preparation }, i) => {
      const product = products.get(product_id)
      if (product === undefined) throw new Error('an available product is locked')
      return { ...newLine(product, quantity, i + 1, preparation), categoryId: product.categoryId }
    })
    const lines = priced.map(({ categoryId: _, ...line }) => line)
    const coupon = wish === undefined ? null : this.coupons.check(wish, priced)
    const delivery = deliveryBy(deliveryTerms(deps.site.known.areas, kind, address?.postcode), lines)
    const goods = { lines, coupon, delivery }
    const isOther = wanted.some(({ preparation }, i) => preparation !== lines[i]?.preparation?.kind)
    if (isOther && !shopper.isAgreed)
      throw priceChanged('Some products are not prepared as you chose any more.', goods, wanted)
    const slot = await this.times.check({ id, kind, postcode: address?.postcode }, shopper, rules)
    if (payment === 'card') assertCard(deps, agreedOn(goods).totalCents as Cents, slot)
    return { ...goods, slot }
  }

  /**
   * Counts what a shopper takes, whose own hold ends with it. @param network which it counts for until it is confirmed
   * @returns the products whose cards show another stock now
   */
  take(
    { lines, slot }: Pick<Goods, 'lines' | 'slot'>,
    { owner, network }: Pick<Shopper, 'owner' | 'network'>,
  ): string[] {
    this.holds.end(owner)
    this.#isFilled ||= this.times.isLast(slot, owner)
    this.times.take(slot, network)
    return lines.flatMap((line) => this.stock.take(line, network))
  }

  /** Did somebody take the last place of a slot? */
  get isFilled(): boolean {
    return this.#isFilled
  }
}

/** Nothing is ordered: the prices as they are, of lines that are whole where they are not prepared any more (`was`). */
export function priceChanged(
  why: string,
  goods: Omit<Goods, 'slot'>,
  wanted: Asked['lines'] = [],
): ShopError {
  return new ShopError('price.changed', `${why} Nothing was ordered.`, {
    details: {
      total: agreedOn({ ...goods, lines: inOneLine(goods.lines) }).totalCents,
      ...(goods.delivery.delivery && { delivery: goods.delivery.deliveryCents }),
      lines: goods.lines.map((line, i, all) => ({
        ...(all.filter(({ productId }) => productId === line.productId).length > 1 && {
          path: `lines[${i}]`,
        }),
        ...pricedNow(line),
        ...(!line.preparation && { was: wanted[i]?.preparation }),
      })),
    },
  })
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

/** `who`: actor id for the order's history, null: a guest; `network`: which it counts for until it is confirmed. */
export type Taking = {
  id: string
  userId: string | null
  who: string | null
  contact: Omit<ContactRow, 'orderId' | 'userId' | 'search'>
  network: string | null
  confirmed: boolean
}

type Agreed = { lines: readonly PricedLine[]; coupon: { terms: UsedCoupon } | null; delivery: AgreedDelivery }

/** What is agreed on with an order of these lines. */
export function agreedOn({ lines, coupon, delivery }: Agreed) {
  const { deliveryCents } = delivery
  const { total, coupon: off } = totalsOfOrder(lines, { deliveryCents, coupon: coupon?.terms ?? null })
  return {
    ...delivery,
    agreedCents: total,
    tolerancePercent: TOLERANCE_PERCENT,
    totalCents: total,
    couponCents: off ?? 0,
  }
}

/** Takes goods that were counted as taken out of the stock and into orders, numbered as they come. */
export async function takeGoods(
  tx: CatalogueTx,
  { siteFile }: OrderDeps,
  taken: readonly (Goods & Taking)[],
  { isFilled }: Pick<Available, 'isFilled'>,
): Promise<void> {
  if (taken.length === 0) return
  const lines = taken.flatMap(({ id, lines }) => lines.map((line) => ({ ...line, orderId: id })))
  await changeStock(
    tx,
    lines.map(({ productId, quantity }) => [productId, -quantity] as const),
  )
  if (isFilled) await announceSlots(tx)
  const { year, first } = await nextNumbers(tx, 'order', siteFile.market.timeZone, taken.length)
  await tx.insert(orders).values(
    taken.map(({ id, userId, lines, slot, coupon, delivery, network, confirmed }, i) => {
      return {
        id,
        number: orderNumber(year, first + i),
        userId,
        status: 'PLACED' as const,
        kind: slot.kind,
        slotId: slot.id,
        slotStartsAt: slot.startsAt,
        ...agreedOn({ lines, coupon, delivery }),
        couponId: coupon?.id ?? null,
        coupon: coupon?.terms ?? null,
        network,
        confirmedAt: confirmed ? sql`clock_timestamp()` : null,
      }
    }),
  )
  await tx
    .insert(orderContacts)
    .values(taken.map(({ id, userId, contact }) => ({ orderId: id, userId, ...contact })))
  await tx.insert(orderLines).values(lines)
  await tx
    .insert(orderEvents)
    .values(taken.map(({ id, who }) => ({ orderId: id, status: 'PLACED' as const, who })))
}

/**
 * The next `count` numbers of a sequence that starts anew each year of market time, by the database's clock. Its row is
 * locked until the transaction ends: no number is given twice, and those that were rolled back are given again. Take them
 * last.
 */
export async function nextNumbers(
  tx: Tx,
  sequence: 'order' | 'invoice',
  timeZone: string,
  count = 1,
): Promise<{ year: number; first: number }> {
  const year = sql`extract(year from clock_timestamp() at time zone ${timeZone})::int`
  const [next] = await tx
    .insert(numberSequences)
    .values({ name: sql`${`${sequence}-`}::text || ${year}`, last: count })
    .onConflictDoUpdate({
      target: numberSequences.name,
      set: { last: sql`${numberSequences.last} + ${count}` },
    })
    .returning()
  if (next === undefined) throw new Error(`the sequence ${sequence} has no number`)
  return { year: Number(next.name.slice(-4)), first: next.last - count + 1 }
}
