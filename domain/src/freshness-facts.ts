import type { BoxMetrics } from './api/box-api.ts'
import { type AsOf, type FreshnessFacts, WORD_FROM } from './freshness-word.ts'
import { marketDate, marketTime } from './market-time.ts'
import { type ShelfLifeUsed, whenUsed } from './time-left.ts'

/** The facts of a box's figures, as instants in RFC 3339. Dates: `datedFacts`. */
export function freshnessFacts({ freshnessIndex, timeLeft, lastMeasured }: BoxMetrics): FreshnessFacts {
  const { at, temperature, unknownFrom } = lastMeasured ?? {}
  const shelf = timeLeft && shelfLifeUsed(timeLeft)
  const when = (share: number): string =>
    shelf ? new Date(whenUsed(shelf, share * shelf.shelfLifeAt0, 'high')).toISOString() : ''
  const { good, useSoon, over } = WORD_FROM
  return {
    freshnessIndex,
    bestBy: timeLeft?.bestBy.at ?? null,
    wordFrom: shelf && { good: when(good), useSoon: when(useSoon), over: when(over) },
    warm:
      unknownFrom == null || at === undefined || temperature === undefined
        ? null
        : { at, temperature, unknownFrom },
  }
}

/** Facts with their dates and times in market time in place of instants. */
export function datedFacts(facts: FreshnessFacts, timeZone: string): FreshnessFacts {
  const { bestBy, wordFrom, warm } = facts
  const date = (at: string): string => marketDate(Date.parse(at), timeZone)
  return {
    ...facts,
    bestBy: bestBy && date(bestBy),
    wordFrom: wordFrom && {
      good: date(wordFrom.good),
      useSoon: date(wordFrom.useSoon),
      over: date(wordFrom.over),
    },
    warm: warm && { ...warm, at: marketTime(Date.parse(warm.at), timeZone) },
  }
}

/** What the formulas of time left take, of the figures of a box. */
export function shelfLifeUsed(timeLeft: NonNullable<BoxMetrics['timeLeft']>): ShelfLifeUsed {
  const { kind, shelfLifeAt0, daysUsed, low, high, lastReadingAt } = timeLeft
  const held = timeLeft.held.map(({ temperature, from }) => ({ temperature, from: Date.parse(from) }))
  const [first = { temperature: 0, from: Date.parse(lastReadingAt) }, ...rest] = held
  return { kind, shelfLifeAt0, used: { days: daysUsed, low, high }, held: [first, ...rest] }
}

/** A moment, with its date in market time. @param at milliseconds since 1970 */
export const asOf = (at: number, timeZone: string): AsOf => ({ at, today: marketDate(at, timeZone) })
