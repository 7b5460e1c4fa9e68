import type { FreshnessNow } from './api/box-api.ts'
import type { ProductBox } from './catalogue.ts'
import { daysBetween } from './durations.ts'
import { clockText, dayText } from './moment-text.ts'
import { celsius } from './tracking.ts'

/** floor(`from` − `per` × index), at most `most`. Source: spec §9. */
export const STARS = { from: 6, per: 2, most: 5 } as const

/** Stars of an index; null at 1 and above. Source: spec §9, product.md. */
export const stars = (index: number): number | null =>
  pastItsBest(index) ? null : Math.min(STARS.most, Math.floor(STARS.from - STARS.per * index))

/** Shown instead of stars. Source: product.md 'Mended'. */
export const pastItsBest = (index: number): boolean => index >= 1

/** How fresh fish is in a word, the freshest first. Source: freshness.md §2. */
export const freshnessWords = ['excellent', 'good', 'use soon', 'past its best'] as const
export type FreshnessWord = (typeof freshnessWords)[number]

/**
 * From which share of its shelf life on a box is no more excellent, no more good, and past its best: u, the upper edge of
 * the days used ÷ the shelf life. Source: freshness.md §2.
 */
export const WORD_FROM = { good: 0.35, useSoon: 0.65, over: 1 } as const

/**
 * What a word, stars and a date are made of. `wordFrom`: the dates in market time from which on the word is another;
 * null where it follows the stars. `warm`: the last temperature where it was above 5 °C.
 */
export type FreshnessFacts = Pick<ProductBox, 'freshnessIndex' | 'bestBy' | 'wordFrom' | 'warm'>

/** A moment: milliseconds since 1970, and its date in market time, `YYYY-MM-DD`. */
export type AsOf = { at: number; today: string }

/** What is said where nothing may be: a box that is recalled or off sale, or was never measured. */
export const NO_FRESHNESS: FreshnessNow = {
  word: null,
  stars: null,
  isWarmthUsedUp: false,
  bestBy: null,
  unknown: null,
}

/** May anything be said of how fresh a box is? Not once it is recalled or taken off sale. Source: freshness.md §3. */
export const hasFreshness = ({ recall, offSale }: { recall: unknown; offSale: boolean }): boolean =>
  recall === null && !offSale

/** Is a box's state unknown by then: silent for too long after a temperature above 5 °C? */
export const isUnknownAt = (facts: Pick<FreshnessFacts, 'warm'> | null, { at }: Pick<AsOf, 'at'>): boolean =>
  facts?.warm != null && at >= Date.parse(facts.warm.unknownFrom)

/** What head, cards, filters, sorting, orders and phones say of a box, by one rule. Source: freshness.md §2. */
export function freshnessAt(facts: FreshnessFacts, now: AsOf): FreshnessNow {
  const { freshnessIndex: index, wordFrom, warm } = facts
  if (warm !== null && isUnknownAt(facts, now))
    return { ...NO_FRESHNESS, unknown: { at: warm.at, temperature: warm.temperature } }
  const cold = wordFrom === null ? wordOfStars(index) : wordOfDay(wordFrom, now.today)
  const word = warm !== null && (cold === 'excellent' || cold === 'good') ? 'use soon' : cold
  return {
    word,
    stars: index === null ? null : stars(index),
    isWarmthUsedUp: index !== null && stars(index) === null,
    bestBy: word === 'past its best' ? null : facts.bestBy,
    unknown: null,
  }
}

/** A word holds for a whole day, since cards count in days: the one that the day ends with. */
function wordOfDay(
  { good, useSoon, over }: NonNullable<ProductBox['wordFrom']>,
  today: string,
): FreshnessWord {
  if (today >= over) return 'past its best'
  if (today >= useSoon) return 'use soon'
  return today >= good ? 'good' : 'excellent'
}

function wordOfStars(index: number | null): FreshnessWord | null {
  if (index === null) return null
  const count = stars(index)
  return count === null ? 'past its best' : count === 5 ? 'excellent' : 'good'
}

/**
 * The share of its shelf life that a box has used, to sort by: what the dates of its words say, or the index where it
 * follows the stars; 1 where it is unknown or not assessed.
 */
export function usedShare(facts: FreshnessFacts, now: AsOf): number {
  const { freshnessIndex, wordFrom } = facts
  if (isUnknownAt(facts, now)) return 1
  if (wordFrom === null) return freshnessIndex ?? 1
  const [from, to] = [Date.parse(wordFrom.good), Date.parse(wordFrom.over)]
  if (to <= from) return now.today < wordFrom.over ? 0 : 1
  const { good, over } = WORD_FROM
  return Math.max(0, over - ((to - Date.parse(now.today)) / (to - from)) * (over - good))
}

/**
 * What is said of a box that was warm when its sensor fell silent: 'unknown since Mon 4:33 am, last 18 °C'; of more than
 * six days ago with the date. Source: freshness.md §2.
 * @param today date in market time, `YYYY-MM-DD`
 */
export function unknownSince(
  { at, temperature }: NonNullable<FreshnessNow['unknown']>,
  today: string,
): string {
  const day = dayText(at.slice(0, 10))
  const isNear = Math.abs(daysBetween(at.slice(0, 10), today)) < 7
  const since = isNear ? day.slice(0, 3) : `${day},`
  return `unknown since ${since} ${clockText(at.slice(11))}, last ${tenths(temperature)}`
}

/** '3.3 °C': a temperature as sentences have it. */
export const tenths = (degrees: number): string => celsius(Math.round(degrees * 10) / 10)
