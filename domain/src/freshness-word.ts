import { daysBetween } from './durations.ts'
import { pastItsBest, stars } from './stars.ts'

/** How fresh fish is in a word, the freshest first. Source: freshness.md §2. */
export const freshnessWords = ['excellent', 'good', 'use soon', 'past its best'] as const
export type FreshnessWord = (typeof freshnessWords)[number]

/** With so many days left, or fewer, fish is to be used soon. */
const USE_SOON_DAYS = 2

/** The two figures that a word is made of: the index, and the day in market time until which fish on ice is at its best. */
export type FreshnessMetrics = { freshnessIndex: number | null; bestBy: string | null }

/**
 * The word for both figures: the worse one counts. Null when neither is known.
 * @param today date in market time, `YYYY-MM-DD`
 */
export function freshnessWord(
  { freshnessIndex, bestBy }: FreshnessMetrics,
  today: string,
): FreshnessWord | null {
  if (freshnessIndex === null && bestBy === null) return null
  const days = bestBy === null ? Infinity : daysBetween(today, bestBy)
  if (days < 0 || (freshnessIndex !== null && pastItsBest(freshnessIndex))) return 'past its best'
  if (days <= USE_SOON_DAYS) return 'use soon'
  return freshnessIndex === null || stars(freshnessIndex) === 5 ? 'excellent' : 'good'
}
