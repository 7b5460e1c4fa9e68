/** Without accents and capitals, as people type: `đ` and the last sigma of a Greek word have no accent to lose. */
export const plain = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('đ', 'd').replaceAll('ς', 'σ')

/** Letters and digits; the apostrophe of `d’oro` ends a word. */
export const wordsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** A word as it stands in the index: an English plural as its singular, by its ending alone. */
export function term(word: string): string {
  if (!/^[a-z]{4,}$/.test(word) || /(ss|us|is)$/.test(word)) return word
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`
  if (/(sh|ch|x|ss|o)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

/** The terms of a text, in order. */
export const termsOf = (text: string): string[] => wordsOf(text).map(term)
