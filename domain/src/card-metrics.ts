import type { ProductBox } from './catalogue.ts'

/** Metrics of a box that cards show, computed from its records at full precision. */
export type CardMetrics = Omit<ProductBox, 'boxID'>

/**
 * Rounds a box's metrics to the steps that cards, filters and sorting show, so that a reading changes the catalogue
 * only when a visitor could see it. The index is rounded up to the next tenth, below 1 at most to 0.99, which keeps its
 * stars; days are whole. Source: spec §9 for the stars.
 */
export const cardMetrics = ({
  freshnessIndex,
  daysLeft,
  catchPlace,
  catchTime,
}: CardMetrics): CardMetrics => ({
  freshnessIndex: freshnessIndex === null ? null : indexStep(freshnessIndex),
  daysLeft: daysLeft && {
    days: Math.round(daysLeft.days),
    low: Math.round(daysLeft.low),
    high: Math.round(daysLeft.high),
  },
  catchPlace,
  catchTime,
})

/** Indexes are recorded with six decimals; rounding errors beyond them must not reach the next step. */
const indexStep = (index: number): number =>
  index >= 1 ? index : Math.min(0.99, Math.ceil(Math.round(index * 1e6) / 1e5) / 10)
