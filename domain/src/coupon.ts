/* What a coupon takes off an order. Free of the schema library, so that pages may load it early. */
import { addCents, type Cents, cents, discounted, formatDollars, gstIncluded, NO_MONEY } from './money.ts'
import type { LineTotals } from './order-totals.ts'

/**
 * What a coupon takes off, as it was when it was used: for its order it stays so. Either `percent` or `amount` in cents;
 * `minimum` in cents, of what it is for as it was ordered; `products`: ids of what it is for in this order, null: all.
 */
export type CouponTerms = {
  percent: number | null
  amount: number | null
  minimum: number
  products: readonly string[] | null
}

/** A coupon of an order. `code`: as it is read, in capitals. */
export type UsedCoupon = CouponTerms & { code: string }

/** A line with what it comes to: as it was ordered, and as it is, by its weight, or nothing where it was left out. */
export type CouponLine = LineTotals & { productId: string; includeGST: boolean; ordered: Cents }

const isFor =
  ({ products }: CouponTerms) =>
  ({ productId }: Pick<CouponLine, 'productId'>): boolean =>
    products === null || products.includes(productId)

/** What was ordered of what a coupon is for, in cents: its minimum is of this, and not of what was weighed since. */
export const orderedFor = (
  coupon: CouponTerms,
  lines: readonly Pick<CouponLine, 'productId' | 'ordered'>[],
): Cents => addCents(lines.filter(isFor(coupon)).map(({ ordered }) => ordered))

/**
 * Lines with what a coupon takes off each of them: nothing while less than its minimum was ordered. A percentage is one
 * of their sum, and rounds once; an amount is never more than they come to.
 */
export function withCoupon<Line extends CouponLine>(
  lines: readonly Line[],
  coupon: CouponTerms | null,
): Line[] {
  if (coupon === null || orderedFor(coupon, lines) < coupon.minimum) return [...lines]
  const applies = isFor(coupon)
  const weights = lines.map((line) => (applies(line) ? line.total : NO_MONEY))
  const shares = apportion(amountOff(coupon, addCents(weights)), weights)
  return lines.map((line, i) => {
    const off = shares[i] ?? NO_MONEY
    if (off === 0) return line
    const total = (line.total - off) as Cents
    return { ...line, total, coupon: off, gst: line.includeGST ? gstIncluded(total) : NO_MONEY }
  })
}

/** Why a coupon takes nothing off its order: since it was used, less is ordered, or nothing of it is left. */
export const couponIdle = ({ minimum, products }: CouponTerms): string =>
  minimum > 0
    ? `takes nothing off: it needs ${formatDollars(cents(minimum))} of ${products === null ? 'goods' : 'what it is for'}`
    : 'takes nothing off'

const amountOff = ({ percent, amount }: CouponTerms, sum: Cents): Cents =>
  percent === null ? cents(Math.min(amount ?? 0, sum)) : ((sum - discounted(sum, percent)) as Cents)

/**
 * Spreads an amount over shares in proportion to their weights, in whole cents that add up to it: each gets its part
 * without the fraction, and what is left goes by cents to the largest fractions, of equal ones to the earlier. None gets
 * more than its weight where the amount is not more than all of them.
 */
export function apportion(amount: Cents, weights: readonly Cents[]): Cents[] {
  const sum = BigInt(addCents(weights))
  if (sum === 0n) return weights.map(() => NO_MONEY)
  const products = weights.map((weight) => BigInt(amount) * BigInt(weight))
  const parts = products.map((product) => Number(product / sum))
  const left = amount - parts.reduce((all, part) => all + part, 0)
  const byFraction = products
    .map((product, i) => ({ fraction: product % sum, i }))
    .sort((a, b) => (a.fraction === b.fraction ? a.i - b.i : a.fraction > b.fraction ? -1 : 1))
  const more = new Set(byFraction.slice(0, left).map(({ i }) => i))
  return parts.map((part, i) => cents(part + (more.has(i) ? 1 : 0)))
}
