/** Letters and digits that nobody takes for one another. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/** A number for a box that has none yet: `F-` and twice four characters, 39 random bits, so that two boats never find the same. */
export function newBoxNumber(random = crypto.getRandomValues(new Uint32Array(8))): string {
  const letters = [...random].map((value) => ALPHABET[value % ALPHABET.length])
  return `F-${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`
}
