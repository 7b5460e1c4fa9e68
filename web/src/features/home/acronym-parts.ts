/** One word of the full name; `letter` is its first one where that is a letter of the short name. */
type AcronymPart = { letter: string; rest: string }

/**
 * How a short name is made of its full one: each word in turn gives its first letter if that is the next letter
 * of the name. 'BeFAQT', 'Blockchain enabled Fish provenance …' → B, e, F, then 'provenance' gives none.
 */
export function acronymParts(name: string, fullName: string): AcronymPart[] {
  let next = 0
  return fullName.split(/\s+/u).map((word) => {
    if (next >= name.length || word[0] !== name[next]) return { letter: '', rest: word }
    next += 1
    return { letter: word.slice(0, 1), rest: word.slice(1) }
  })
}
