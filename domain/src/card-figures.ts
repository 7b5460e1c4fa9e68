import type { ProductBox } from './catalogue.ts'

/** What a box's records say of it for cards, at full precision. */
export type BoxFiguresForCards = Omit<ProductBox, 'boxID'>

/**
 * The figures of a box as the catalogue has them: in steps that cards, filters and orders show, so that a reading
 * changes nothing there until a visitor could see it. The index goes up to the next tenth, below 1 at most to 0.99,
 * and keeps its stars; days are whole, as they are read out. Source: spec §9 for the stars.
 */
export const cardFigures = ({
  freshnessIndex,
  daysLeft,
  catchPlace,
  catchTime,
}: BoxFiguresForCards): BoxFiguresForCards => ({
  freshnessIndex: freshnessIndex === null ? null : indexStep(freshnessIndex),
  daysLeft: daysLeft && {
    days: Math.round(daysLeft.days),
    low: Math.round(daysLeft.low),
    high: Math.round(daysLeft.high),
  },
  catchPlace,
  catchTime,
})

/** Indexes are recorded with six decimals; what binary fractions add behind them makes no step. */
const indexStep = (index: number): number =>
  index >= 1 ? index : Math.min(0.99, Math.ceil(Math.round(index * 1e6) / 1e5) / 10)
