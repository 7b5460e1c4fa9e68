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
