import type { CartLine } from './cart.ts'
import { addCents, type Cents, discounted, formatDollars, gstIncluded, NO_MONEY, priceOf } from './money.ts'
import type { FulfilmentKind } from './order-states.ts'
import { gramsPerUnit, wholeAmount } from './quantity.ts'

/** What a line's sums are made of. */
export type Priced = Pick<CartLine, 'priceCents' | 'discount' | 'quantity' | 'includeGST'>

/** Sums of a line. `coupon`: what a coupon takes off it, of which `total` and `gst` are without; absent: nothing. */
export type LineTotals = { subtotal: Cents; savings: Cents; gst: Cents; total: Cents; coupon?: Cents }
export type CartTotals = LineTotals & { delivery: Cents }

/**
 * Sums of one line. `subtotal` is price × quantity before discount; `total` is after it and rounds half up
 * once; `savings` is the difference; `gst` is one eleventh of `total` where the product includes GST. Source: spec §9.
 */
export const lineTotals = (line: Priced): LineTotals =>
  totalsOf(priceOf(line.priceCents, line.quantity), line)

/** Sums of a line whose price before discount is `subtotal`. */
export function totalsOf(
  subtotal: Cents,
  { discount, includeGST }: Pick<Priced, 'discount' | 'includeGST'>,
): LineTotals {
  const total = discounted(subtotal, discount)
  return {
    subtotal,
    savings: (subtotal - total) as Cents,
    gst: includeGST ? gstIncluded(total) : NO_MONEY,
    total,
  }
}

/**
 * Sums of the cart: the rounded lines added, `total` with delivery, of which `gst` has its part. The delivery fee is 0
 * where no area says otherwise (`deliveryFee`). Source: spec §9.
 */
export const cartTotals = (lines: readonly Priced[], delivery: Cents = NO_MONEY): CartTotals =>
  sumTotals(lines.map(lineTotals), delivery)

/** Sums of lines that are rounded already, and of a delivery fee, which includes GST. */
export function sumTotals(each: readonly LineTotals[], delivery: Cents = NO_MONEY): CartTotals {
  const sum = (name: 'subtotal' | 'savings' | 'gst' | 'total'): Cents =>
    addCents(each.map((line) => line[name]))
  return {
    subtotal: sum('subtotal'),
    savings: sum('savings'),
    gst: addCents([sum('gst'), gstIncluded(delivery)]),
    delivery,
    total: addCents([sum('total'), delivery]),
  }
}

/**
 * What a delivery to an area costs, in cents: `fee`, which includes GST, nothing from `freeFrom` of goods on, null: never;
 * `minimum`: of goods, below which no order is taken. Goods are what was ordered, after discounts, before a coupon, which
 * takes nothing off the fee; what they weigh when they are packed changes nothing of it.
 */
export type DeliveryTerms = { area: string; fee: number; minimum: number; freeFrom: number | null }

/** An area with its postcodes, each one of them or a range: '2000', '2006-2010'. */
export type DeliveryArea = DeliveryTerms & { postcodes: readonly string[] }

/** The first and the last postcode of an entry of an area, which are the same of one that is no range. */
export function postcodeRange(entry: string): [number, number] {
  const [first, last = first] = entry.split('-').map(Number)
  return [first ?? Number.NaN, last ?? Number.NaN]
}

/** What an order of this kind to this postcode costs to bring; null: nothing, and it may be of any size. */
export function deliveryTerms(
  areas: readonly DeliveryArea[],
  kind: FulfilmentKind,
  postcode: string | undefined,
): DeliveryTerms | null {
  if (kind === 'pickup' || postcode === undefined) return null
  const code = Number(postcode)
  const area = areas.find(({ postcodes }) =>
    postcodes.map(postcodeRange).some(([first, last]) => first <= code && code <= last),
  )
  if (area === undefined) return null
  const { postcodes: _, ...terms } = area
  return terms
}

/** The delivery fee of an order of so much. The one rule of it: for cart, checkout, orders and their changes. */
export const deliveryFee = (terms: DeliveryTerms | null, goods: number): Cents =>
  (terms === null || goods >= (terms.freeFrom ?? Number.POSITIVE_INFINITY) ? 0 : terms.fee) as Cents

/** How much of goods an order is short of the minimum of its area. */
export const missingGoods = (terms: DeliveryTerms | null, goods: number): Cents =>
  Math.max(0, (terms?.minimum ?? 0) - goods) as Cents

/** '$8.00, free from $100.00 of goods', 'free of charge'. */
export function feeText({ fee, freeFrom }: Pick<DeliveryTerms, 'fee' | 'freeFrom'>): string {
  if (fee === 0) return 'free of charge'
  const free = freeFrom === null ? '' : `, free from ${formatDollars(freeFrom as Cents)} of goods`
  return `${formatDollars(fee as Cents)}${free}`
}

/** Why a postcode of an area takes no order of so much; null: it does. */
export function tooLittle(terms: DeliveryTerms | null, postcode: string, goods: number): string | null {
  const missing = missingGoods(terms, goods)
  if (terms === null || missing === 0) return null
  const from = formatDollars(terms.minimum as Cents)
  return `Orders to ${postcode} (${terms.area}) are from ${from} of goods: ${formatDollars(missing)} more is needed.`
}

/** The grams that `quantity` units are meant to weigh; null: it is not sold by weight. */
export function orderedGrams(unit: string, quantity: number): number | null {
  return gramsPerUnit(unit) === null ? null : wholeAmount(unit, quantity)
}

/** Price of a weight: price per unit × grams / grams of the unit, rounded half up to a cent, once. */
export const priceOfGrams = (price: Cents, grams: number, unitGrams: number): Cents =>
  Math.floor((price * grams * 2 + unitGrams) / (2 * unitGrams)) as Cents

/**
 * Sums of one line as it was weighed; of one that is not weighed, those of the cart.
 * @param finalGrams net weight in whole grams; null: not weighed yet, or not sold by weight
 */
export function orderLineTotals(line: Priced & { unit: string }, finalGrams: number | null): LineTotals {
  const unitGrams = gramsPerUnit(line.unit)
  const weighed = finalGrams !== null && unitGrams !== null
  const price = weighed
    ? priceOfGrams(line.priceCents, finalGrams, unitGrams)
    : priceOf(line.priceCents, line.quantity)
  return totalsOf(price, line)
}

/**
 * The price at which so much of a line is had that gets more in it: the agreed one or today's, whichever comes to less. A
 * line has one price, as its weight statement has.
 */
export function lowerPrice<Price extends { priceCents: Cents; discount: number }>(
  agreed: Price,
  today: Price,
  quantity: number,
): Price {
  const total = (price: Price) => lineTotals({ ...price, quantity, includeGST: false }).total
  return total(today) < total(agreed) ? today : agreed
}

/** By how much the final total may exceed the agreed one, in percent. */
export const TOLERANCE_PERCENT = 10

/** The most that may be charged for an agreed total without asking the buyer. Parts of a cent are dropped. */
export const mostCharged = (agreed: Cents, tolerancePercent: number): Cents =>
  Math.floor((agreed * (100 + tolerancePercent)) / 100) as Cents

/** The most of a product that one line of an order takes, where the product says nothing else: kilograms, or pieces. */
type LineLimits = { lineKg: number; linePieces: number }

/** The most units of a product that one line takes: its own limit, or the shop's. It holds for everybody. */
export function lineLimit(product: { unit: string; orderLimit: number }, limits: LineLimits): number {
  if (product.orderLimit > 0) return product.orderLimit
  const each = gramsPerUnit(product.unit)
  return each === null ? limits.linePieces : Math.max(1, Math.floor((limits.lineKg * 1_000) / each))
}
