import type { Balance, BalanceReason, SignatureResult } from './verdict.ts'

/** Why the weights of a box contradict each other, for a shopper. @param seq the first record that does */
export const balanceReasons: Readonly<Record<BalanceReason, (seq: number) => string>> = {
  amount_refused: (seq) => `Record ${seq} states an amount that no box can hold.`,
  sold_before_catch: (seq) => `Record ${seq} says that fish of this box was sold before it was caught.`,
  overdrawn: (seq) => `With record ${seq} more of this box was sold and lost than ever went in.`,
  returned_unsold: (seq) => `With record ${seq} more has come back to this box than was sold of it.`,
  boxed_above_catch: (seq) => `With record ${seq} this box holds more than was caught.`,
}

/**
 * What the weights of a box come to, in a sentence or two.
 * @param signature what was found of the statement of the scale that weighed it
 */
export function balanceMessage(balance: Omit<Balance, 'words'>, signature?: SignatureResult): string {
  const { state, total, sold, lost, left, returned, offered, raised, corrected, scale } = balance
  const sentences = [
    total === null
      ? `No weights stated${sold > 0 ? `: ${kg(sold)} kg sold` : ''}.`
      : `Sold ${kg(sold)} of ${kg(total)} kg${lost > 0 ? `, lost ${kg(lost)} kg` : ''}; ${kg(left ?? 0)} kg left. ${weigherText(scale, signature)}.`,
    ...(returned > 0 ? [`${kg(returned)} kg had come back.`] : []),
    ...(offered !== null ? [`${kg(offered)} kg of it were put on sale.`] : []),
    ...(raised === null ? [] : [raisedText(raised.from)]),
    ...(corrected > 0
      ? [`${corrected} of these amounts ${corrected === 1 ? 'was' : 'were'} corrected.`]
      : []),
    ...(state === 'partly' ? ['Not all of it is recorded in grams.'] : []),
  ]
  return sentences.join(' ')
}

/** Who says what went in, and how much of that is proven. */
function weigherText(scale: string | null, signature: SignatureResult | undefined): string {
  if (signature?.state === 'good')
    return `Weighed by a scale that signed it, key ${signature.key.slice(0, 8)}`
  if (scale === null) return 'Weight typed in'
  return `Weight of “${scale}”, ${signature === undefined ? 'typed in' : 'whose signature is not confirmed'}`
}

const raisedText = (from: number | null): string =>
  from === null
    ? 'Its weight was stated only after the first sale.'
    : `Its weight was raised from ${kg(from)} kg after the first sale.`

/** Grams in kilograms, to the gram, with one decimal at least: `38.2`, `0.005`. */
export const kg = (grams: number): string => (grams / 1000).toFixed(3).replace(/0{1,2}$/, '')
