/** From here on one item more or less is nothing that a shopper could act upon. */
const EXACT_BELOW = 20

/**
 * The step of a stock that the public catalogue keeps up with: each number below 20, and above it the first two digits.
 * Within a step it may be up to nine below 100, and a tenth above, behind; an order of more than there is fails, naming what is left.
 */
export function stockStep(stock: number): number {
  if (stock < EXACT_BELOW) return stock
  const unit = 10 ** Math.max(1, Math.floor(Math.log10(stock)) - 1)
  return Math.floor(stock / unit) * unit
}
