import { z } from 'zod'
import { BoxID, mustBe } from './box-values.ts'

/** Letters and digits that nobody takes for one another. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const PROPOSED = new RegExp(`^F-[${ALPHABET}]{4}-[${ALPHABET}]{4}$`)
/** What people may take for such a number. */
const LIKE_PROPOSED = /^F-[0-9A-Z]{4}-[0-9A-Z]{4}$/i

/**
 * A number for a box that has no label, as phones propose it, also without coverage: `F-` and twice four characters, 39
 * random bits, so that two boats never find the same.
 * @param random eight whole numbers
 */
export function newBoxNumber(random: Iterable<number>): string {
  const letters = [...random].map((value) => ALPHABET[value % ALPHABET.length])
  return `F-${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`
}

/** Has this number the form that `newBoxNumber` makes? No label is allotted in that form. */
export const isProposedNumber = (boxID: string): boolean => PROPOSED.test(boxID)

/** The number of a label: what comes before its last digits, at most nine, and these. */
export type LabelNumber = { prefix: string; value: number; digits: number }

/** Null for one that does not end with a digit. */
export function labelNumberOf(boxID: string): LabelNumber | null {
  const { prefix = '', digits } = /^(?<prefix>.*?)(?<digits>\d{1,9})$/.exec(boxID)?.groups ?? {}
  return digits === undefined ? null : { prefix, value: Number(digits), digits: digits.length }
}

/** Is this number one from the first to the last of these labels? */
export function isOfLabels({ first, last }: { first: string; last: string }, boxID: string): boolean {
  const [from, to, number] = [first, last, boxID].map(labelNumberOf)
  if (!from || !to || !number || number.prefix !== from.prefix || number.digits !== from.digits) return false
  return from.value <= number.value && number.value <= to.value
}

/** As `labelNumberOf` reads it. */
export const labelText = ({ prefix, value, digits }: LabelNumber): string =>
  prefix + String(value).padStart(digits, '0')

/** Labels that are allotted to a supplier at once. */
export const MAX_LABELS = 10_000

/** Labels for a supplier: from the first number on, counting up in as many digits. */
export const NewLabels = z
  .strictObject({
    first: BoxID.refine((boxID) => labelNumberOf(boxID) !== null, 'must end with a digit').refine(
      (boxID) => !LIKE_PROPOSED.test(boxID),
      'has the form of the numbers that phones make',
    ),
    count: z
      .number(mustBe('a number'))
      .int('must be a whole number')
      .min(1, `must be from 1 to ${MAX_LABELS}`)
      .max(MAX_LABELS, `must be from 1 to ${MAX_LABELS}`),
  })
  .superRefine(({ first, count }, context) => {
    const number = labelNumberOf(first)
    if (number !== null && String(number.value + count - 1).length > number.digits)
      context.addIssue({
        code: 'custom',
        path: ['count'],
        message: `leads to a number of more than ${number.digits} digits`,
      })
  })
export type NewLabels = z.infer<typeof NewLabels>
