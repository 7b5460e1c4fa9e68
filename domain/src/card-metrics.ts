import type { ProductBox } from './catalogue.ts'
import { marketDate } from './market-time.ts'

/** Metrics of a box that cards show, computed from its records at full precision. `bestBy`: an instant, in RFC 3339. */
export type CardMetrics = Omit<ProductBox, 'boxID'>

/**
 * Rounds a box's metrics to the steps that cards, filters and sorting show, so that a reading changes the catalogue
 * only when a visitor could see it. The index is rounded up to the next tenth, below 1 at most to 0.99, which keeps its
 * stars; best-by is a date in market time. Source: spec §9 for the stars.
 */
export const cardMetrics = (metrics: CardMetrics, timeZone: string): Omit<ProductBox, 'boxID'> => ({
  ...metrics,
  freshnessIndex: metrics.freshnessIndex === null ? null : indexStep(metrics.freshnessIndex),
  bestBy: metrics.bestBy === null ? null : marketDate(Date.parse(metrics.bestBy), timeZone),
})

/** Indexes are recorded with six decimals; rounding errors beyond them must not reach the next step. */
const indexStep = (index: number): number =>
  index >= 1 ? index : Math.min(0.99, Math.ceil(Math.round(index * 1e6) / 1e5) / 10)
