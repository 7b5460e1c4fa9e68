import type { BoxMetrics } from '@befaqt/domain/api/box-api'
import { COLD_LIMIT, coldChainMark } from '@befaqt/domain/cold-chain'
import { dayText } from '@befaqt/domain/day-text'
import { durationText } from '@befaqt/domain/duration-text'
import { marketDate } from '@befaqt/domain/market-time'
import { celsius } from '@befaqt/domain/tracking'
import { tenths } from '@befaqt/domain/unknown-since'

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
