import { hasPhrase, termsOf, wordsOf } from './terms.ts'
import { fillers, orderWords, tradeNames } from './trade-names.ts'

const trades = tradeNames.map((group) => group.map(termsOf))
const nameAt = (at: number): string | null => tradeNames[at]?.[0] ?? null

const isOneOf = (names: readonly (readonly string[])[], terms: readonly string[]): boolean =>
  names.some((name) => name.join(' ') === terms.join(' '))

/**
 * The trade's own name of what these words name, whether the shop sells such a thing or not: 'snapper' of 'squire', of
 * 'fresh snapper' and of 'snapper fillets'. Null where they name nothing of the trade.
 */
export function tradeNameOf(typed: string): string | null {
  const words = wordsOf(typed).filter((word) => !fillers.has(word) && !Object.hasOwn(orderWords, word))
  const terms = termsOf(words.join(' '))
  const own = trades.findIndex(([name]) => name !== undefined && isOneOf([name], terms))
  const whole = own >= 0 ? own : trades.findIndex((names) => isOneOf(names, terms))
  if (whole >= 0) return nameAt(whole)
  const parts = trades
    .map(([name = []], at) => ({ at, length: hasPhrase(terms, name) ? name.length : 0 }))
    .filter(({ length }) => length > 0)
  const [longest] = parts.toSorted((a, b) => b.length - a.length)
  return longest === undefined ? null : nameAt(longest.at)
}

/** Is this the trade's own name of something? */
export const isTradeName = (name: string): boolean => tradeNames.some(([own]) => own === name)

/** Does a product's title name it? */
export const titleNames = (title: string, name: string): boolean => hasPhrase(termsOf(title), termsOf(name))
