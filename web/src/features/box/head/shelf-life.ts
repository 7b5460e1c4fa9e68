import type { BoxMetrics } from '@befaqt/domain/api/box-api'
import { DAY_MS } from '@befaqt/domain/durations'
import { type FreshnessWord, freshnessWord } from '@befaqt/domain/freshness-word'
import { marketDate } from '@befaqt/domain/market-time'
import { pastItsBest } from '@befaqt/domain/stars'
import type { ShelfLifeUsed } from '@befaqt/domain/time-left'

type TimeLeft = NonNullable<BoxMetrics['timeLeft']>

/** What the formulas of time left take, of what the page was given. */
export const shelfLifeUsed = (timeLeft: TimeLeft): ShelfLifeUsed => ({
  kind: timeLeft.kind,
  shelfLifeAt0: timeLeft.shelfLifeAt0,
  used: { days: timeLeft.daysUsed, low: timeLeft.low, high: timeLeft.high },
  lastReadingAt: Date.parse(timeLeft.lastReadingAt),
})

/** What the head of a box says of its freshness as of `now`. */
export type FreshnessNow = {
  word: FreshnessWord | null
  /** Date in market time, `YYYY-MM-DD`. */
  bestBy: string | null
  /** No reading for more than a day: what is counted since is assumed. */
  isOld: boolean
  /** Date of the last reading in market time. */
  lastReading: string | null
  /** Why it is past its best although one of the two figures says otherwise; null where they agree. */
  disagreement: string | null
}

/** The same word and date as on cards (freshness-word.ts). @param now milliseconds since 1970 */
export function freshnessNow(
  { freshnessIndex, timeLeft }: BoxMetrics,
  now: number,
  zone: string,
): FreshnessNow {
  const bestBy = timeLeft && marketDate(Date.parse(timeLeft.bestBy.at), zone)
  const today = marketDate(now, zone)
  const word = freshnessWord({ freshnessIndex, bestBy }, today)
  const byIndex = freshnessIndex !== null && pastItsBest(freshnessIndex)
  const byDate = bestBy !== null && bestBy < today
  const last = timeLeft && Date.parse(timeLeft.lastReadingAt)
  return {
    word,
    bestBy,
    isOld: last !== null && now - last > DAY_MS,
    lastReading: last === null ? null : marketDate(last, zone),
    disagreement:
      byIndex && bestBy !== null && !byDate
        ? INDEX_IS_WORSE
        : byDate && freshnessIndex !== null && !byIndex
          ? DATE_IS_WORSE
          : null,
  }
}

const INDEX_IS_WORSE =
  'The index is used up, though this species would keep some days on ice: the worse of the two counts.'
const DATE_IS_WORSE = 'Its days on ice are over, which the index does not show: the worse of the two counts.'
