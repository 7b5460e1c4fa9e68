import { nearestCents } from './money.ts'

/** A bulk change of prices: a new price in dollars, a difference in dollars, or a factor. */
export type PriceChange = {
  priceValue?: number | undefined
  priceDelta?: number | undefined
  priceFactor?: number | undefined
}

/** A price in whole cents after a bulk change. Rounds half up to a cent, once, here. The result may be out of range. */
export function changedPrice(
  priceCents: number,
  { priceValue, priceDelta = 0, priceFactor = 1 }: PriceChange,
): number {
  const start = priceValue === undefined ? priceCents : nearestCents(priceValue)
  return halfUp(start * priceFactor) + nearestCents(priceDelta)
}

/** Rounding to six decimals removes errors of binary fractions up to the highest price, as in 3.33 × 1.1 × 100. */
const halfUp = (cents: number): number => Math.floor(Number((cents + 0.5).toFixed(6)))
