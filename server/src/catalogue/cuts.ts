import { hasPhrase, termsOf } from './search/terms.ts'

/**
 * The forms in which the trade sells seafood, and the words that say so in a title or a unit: products have no field of
 * it. In the order in which they are shown.
 */
export const cuts: readonly { value: string; label: string; words: readonly string[] }[] = [
  { value: 'whole', label: 'Whole', words: ['whole'] },
  { value: 'fillets', label: 'Fillets', words: ['fillet', 'filet'] },
  { value: 'cutlets', label: 'Cutlets and steaks', words: ['cutlet', 'steak', 'darne'] },
  { value: 'loins', label: 'Loins', words: ['loin'] },
  { value: 'half-shell', label: 'Half shell', words: ['half shell', 'opened', 'shucked'] },
  { value: 'live', label: 'Live', words: ['live'] },
  { value: 'raw', label: 'Raw', words: ['raw', 'green prawn'] },
  { value: 'cooked', label: 'Cooked', words: ['cooked', 'boiled'] },
  { value: 'smoked', label: 'Smoked', words: ['smoked'] },
]

const phrases = cuts.map(({ words, ...cut }) => ({ cut, phrases: words.map(termsOf) }))

/** What a product is sold as, by its title and unit. */
export function cutsOf(title: string, unit: string): { value: string; label: string }[] {
  const texts = [termsOf(title), termsOf(unit)]
  return phrases.flatMap(({ cut, phrases }) =>
    phrases.some((phrase) => texts.some((text) => hasPhrase(text, phrase))) ? [cut] : [],
  )
}

/** Place of a cut among all. */
export const cutPlace = (value: string): number => cuts.findIndex((cut) => cut.value === value)
