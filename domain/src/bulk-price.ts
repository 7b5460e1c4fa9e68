/** A change of many prices: a new one in dollars, so many dollars more, or so many times as much. One of them. */
export type PriceChange = {
  priceValue?: number | undefined
  priceDelta?: number | undefined
  priceFactor?: number | undefined
}

/** A price in whole cents after a change of many. Rounds half up to a cent, once, here. May leave what is allowed. */
export function changedPrice(
  priceCents: number,
  { priceValue, priceDelta = 0, priceFactor = 1 }: PriceChange,
): number {
  const start = priceValue === undefined ? priceCents : Math.round(priceValue * 100)
  return halfUp(start * priceFactor) + Math.round(priceDelta * 100)
}

/** Six decimals hide what binary fractions add up to the highest price, so that 3.33 × 1.1 × 100 is no surprise. */
const halfUp = (cents: number): number => Math.floor(Number((cents + 0.5).toFixed(6)))
