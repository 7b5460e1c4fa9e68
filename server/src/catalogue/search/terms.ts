/** Without accents and capitals, as people type: `đ` and the last sigma of a Greek word have no accent to lose. */
export const plain = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('đ', 'd').replaceAll('ς', 'σ')

/** Letters and digits; the apostrophe of `d’oro` ends a word. */
export const wordsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** A word as it stands in the index: an English plural as its singular, by its ending alone. */
export function term(word: string): string {
  if (!/^[a-z]{4,}$/.test(word) || /(ss|us|[^p]is)$/.test(word)) return word
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`
  if (/(sh|ch|x|ss|o)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

/** The terms of a text, in order. */
export const termsOf = (text: string): string[] => wordsOf(text).map(term)

/** Do the terms of `part` stand in `whole`, next to each other? */
export const hasPhrase = (whole: readonly string[], part: readonly string[]): boolean =>
  part.length > 0 && whole.some((_, at) => part.every((one, i) => whole[at + i] === one))

/** The words with those of what was found (`there`) in place of what was mistyped; null when they are the same. */
export function correctionOf(wanted: readonly string[], there: readonly string[]): string | null {
  const read = wanted.map((word) =>
    there.includes(term(word)) ? word : (nearest(term(word), there) ?? word),
  )
  const text = read.join(' ')
  return text === wanted.join(' ') ? null : text
}

/** The most alike by shared letters in order, which is enough among the few words that matched. */
const nearest = (word: string, among: readonly string[]): string | undefined =>
  among.toSorted((a, b) => shared(word, b) - shared(word, a) || a.length - b.length)[0]

/** Length of the longest run of letters that both have in the same order, with gaps. */
function shared(a: string, b: string): number {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const one of a) {
    const next = [0]
    for (let i = 0; i < b.length; i++)
      next.push(b[i] === one ? (row[i] ?? 0) + 1 : Math.max(row[i + 1] ?? 0, next[i] ?? 0))
    row = next
  }
  return row.at(-1) ?? 0
}
