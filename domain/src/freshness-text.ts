import type { FreshnessNow } from './api/box-api.ts'
import { COLD_LIMIT, type ColdChainMark } from './cold-chain.ts'
import { unknownSince } from './freshness-word.ts'
import { dayText } from './moment-text.ts'

/** The cold chain of a box in one sentence, as far as its mark says it: the longer one is on the box's page. */
export const coldChainText: Readonly<Record<ColdChainMark, string>> = {
  cold: `Stayed cold: never above ${COLD_LIMIT} °C.`,
  warmed: `Warmed on the way: above ${COLD_LIMIT} °C for a time.`,
  silent: `Never above ${COLD_LIMIT} °C, but readings are missing.`,
}

/** What is said of a box at a moment: how fresh it is, and how cold it was kept. */
export type SaidOfBox = { freshness: FreshnessNow; coldChain: ColdChainMark | null }

/**
 * The same in sentences for what is kept, as emails and documents are: 'Excellent, best by Sun 6 Dec 2026. Stayed cold:
 * never above 5 °C.' Empty where nothing may be said.
 * @param today date of that moment in market time, `YYYY-MM-DD`
 */
export function boxText({ freshness, coldChain }: SaidOfBox, today: string): string {
  const { word, bestBy, unknown } = freshness
  const fresh = unknown
    ? unknownSince(unknown, today)
    : [word, bestBy && `best by ${dayText(bestBy)} ${bestBy.slice(0, 4)}`].filter(Boolean).join(', ')
  const sentences = [fresh && `${capital(fresh)}.`, coldChain && coldChainText[coldChain]]
  return sentences.filter(Boolean).join(' ')
}

/** With a large first letter. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
