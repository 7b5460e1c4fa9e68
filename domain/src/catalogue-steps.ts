import type { ProductBox } from './catalogue.ts'
import { datedFacts } from './freshness-facts.ts'

/** Metrics of a box that cards show, computed from its records at full precision: instants, in RFC 3339, in place of dates. */
export type CardMetrics = Omit<ProductBox, 'boxID'>

/**
 * Rounds a box's metrics to the steps that cards, filters and sorting show, so that a reading changes the catalogue
 * only when a visitor could see it. The index is rounded up to the next tenth, below 1 at most to 0.99, which keeps its
 * stars; of moments the dates in market time are kept. Source: spec §9 for the stars.
 */
export const cardMetrics = (metrics: CardMetrics, timeZone: string): Omit<ProductBox, 'boxID'> => ({
  ...metrics,
  ...datedFacts(metrics, timeZone),
  freshnessIndex: metrics.freshnessIndex === null ? null : indexStep(metrics.freshnessIndex),
})

/** Indexes are recorded with six decimals; rounding errors beyond them must not reach the next step. */
const indexStep = (index: number): number =>
  index >= 1 ? index : Math.min(0.99, Math.ceil(Math.round(index * 1e6) / 1e5) / 10)

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
