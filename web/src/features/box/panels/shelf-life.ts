import type { BoxMetrics, FreshnessNow } from '@befaqt/domain/api/box-api'
import { COLD_LIMIT, coldChainMark } from '@befaqt/domain/cold-chain'
import { durationText } from '@befaqt/domain/duration-text'
import { DAY_MS } from '@befaqt/domain/durations'
import { asOf, datedFacts, freshnessFacts, shelfLifeUsed } from '@befaqt/domain/freshness-facts'
import { freshnessAt, tenths } from '@befaqt/domain/freshness-word'
import { marketDate } from '@befaqt/domain/market-time'
import { dayText } from '@befaqt/domain/moment-text'
import { bestByIfIced, daysUsedAt } from '@befaqt/domain/time-left'
import { celsius } from '@befaqt/domain/tracking'

/** What the page of a box says of its freshness as of a moment. Dates: in market time, `YYYY-MM-DD`. */
export type BoxFreshness = FreshnessNow & {
  today: string
  /** What it is taken to lie at, in °C; null where no days are known. */
  heldAt: number | null
  /** The better case, where it is not held on ice and days are left: the date when it is put on ice now. */
  ifIced: string | null
  /** Since when it is past its best: by the estimate, else by the careful edge of its range. */
  over: { date: string; isEstimate: boolean } | null
  /** The last temperature, in °C, where it was above 5 °C. */
  warm: number | null
  /** Date of the last temperature, where it is more than a day old: what is counted since is assumed. */
  measuredLong: string | null
  /** Upper edge of the days used ÷ the shelf life: what the word is made of. */
  share: number | null
  /** Why the two figures differ, where they do. */
  disagreement: string | null
}

/** The same word, stars and date as on cards (freshness-word.ts). @param now milliseconds since 1970 */
export function boxFreshness(figures: BoxMetrics, now: number, zone: string): BoxFreshness {
  const { timeLeft, lastMeasured: last } = figures
  const facts = datedFacts(freshnessFacts(figures), zone)
  const fresh = freshnessAt(facts, asOf(now, zone))
  const shelf = timeLeft && shelfLifeUsed(timeLeft)
  const heldAt = shelf?.held.at(-1)?.temperature ?? null
  const date = (at: number): string => marketDate(at, zone)
  const today = date(now)
  const ifIced = shelf && heldAt !== 0 && fresh.bestBy ? date(bestByIfIced(shelf, now)) : null
  const estimate = facts.bestBy
  const isOver = fresh.word === 'past its best'
  const hasDays = estimate !== null && !isOver && fresh.unknown === null
  return {
    ...fresh,
    today,
    heldAt,
    ifIced: ifIced === fresh.bestBy ? null : ifIced,
    over:
      isOver && estimate && facts.wordFrom
        ? estimate <= today
          ? { date: estimate, isEstimate: true }
          : { date: facts.wordFrom.over, isEstimate: false }
        : null,
    warm: facts.warm?.temperature ?? null,
    measuredLong: last && now - Date.parse(last.at) > DAY_MS ? date(Date.parse(last.at)) : null,
    share: shelf && daysUsedAt(shelf, now).high / shelf.shelfLifeAt0,
    disagreement:
      fresh.isWarmthUsedUp && hasDays
        ? `The warmth index is used up though days are left: ${WHY_THEY_DIFFER}`
        : isOver && estimate !== null && fresh.stars !== null
          ? `Its days are over though the warmth index gives stars: ${WHY_THEY_DIFFER}`
          : null,
  }
}

const WHY_THEY_DIFFER =
  'it measures warmth above 0 °C against a fixed 48 °C·h, time left knows the species and the ice.'

type ColdChain = NonNullable<BoxMetrics['coldChain']>

/**
 * How cold a box was kept, in one sentence made from its readings. Source: freshness.md §3.
 * @param formsHistamine of its species: then warmth is a matter of safety, too
 */
export function coldChainSentence(chain: ColdChain, zone: string, formsHistamine = false): string {
  const limit = celsius(COLD_LIMIT)
  const highest = tenths(chain.highest)
  const mark = coldChainMark(chain)
  if (mark === 'cold') return `Stayed cold: highest ${highest}, never above ${limit}`
  if (mark === 'silent') return `No reading for ${durationText(chain.longestSilenceMinutes ?? 0)}`
  const day = dayText(marketDate(Date.parse(chain.highestAt), zone))
  const long = chain.minutesAbove5 > 0 ? `${durationText(chain.minutesAbove5)} above ${limit}, ` : ''
  const safety = formsHistamine ? '. In this species, which forms histamine, a matter of safety' : ''
  return `Warmed on the way: ${long}up to ${highest} on ${day}${safety}`
}
