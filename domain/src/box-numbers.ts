import { z } from 'zod'
import { BoxID, mustBe } from './box-values.ts'
import { parseNumber } from './typed-number.ts'

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
/** Labels that are printed at once: ten sheets. */
export const MAX_PRINTED = 100

const firstLabel = BoxID.refine((boxID) => labelNumberOf(boxID) !== null, 'must end with a digit')

const upTo = (max: number) =>
  z
    .number(mustBe('a number'))
    .int('must be a whole number')
    .min(1, `must be from 1 to ${max}`)
    .max(max, `must be from 1 to ${max}`)

/** Refuses labels whose last number has more digits than the first. */
function keepDigits({ first, count }: { first: string; count: number }, context: z.RefinementCtx): void {
  const number = labelNumberOf(first)
  if (number !== null && String(number.value + count - 1).length > number.digits)
    context.addIssue({
      code: 'custom',
      path: ['count'],
      message: `leads to a number of more than ${number.digits} digits`,
    })
}

/** Labels for a supplier: from the first number on, counting up in as many digits. */
export const NewLabels = z
  .strictObject({
    first: firstLabel.refine(
      (boxID) => !LIKE_PROPOSED.test(boxID),
      'has the form of the numbers that phones make',
    ),
    count: upTo(MAX_LABELS),
  })
  .superRefine(keepDigits)
export type NewLabels = z.infer<typeof NewLabels>

/** Allotted labels to be printed, as a form and a query say it: from the first number on, on paper or as commands of a printer. */
export const PrintedLabels = z
  .object({
    first: firstLabel,
    count: z.preprocess(parseNumber, upTo(MAX_PRINTED)),
    format: z.enum(['pdf', 'zpl'], 'must be pdf or zpl').default('pdf'),
  })
  .superRefine(keepDigits)
export type PrintedLabels = z.infer<typeof PrintedLabels>

/** These numbers, in their order. */
export function numbersFrom({ first, count }: { first: string; count: number }): string[] {
  const number = labelNumberOf(first)
  if (number === null) throw new Error(`labels without a number: ${first}`)
  return Array.from({ length: count }, (_, i) => labelText({ ...number, value: number.value + i }))
}
