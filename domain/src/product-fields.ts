import { z } from 'zod'
import { line } from './fields.ts'
import { allergens } from './labelling.ts'
import { nearestCents } from './money.ts'

/**
 * An editable field: the schema of its input, the default of a new entity (without one the field is required), and the
 * schema in responses. Stored values are returned as they are, so `shown` has no limits.
 */
export type EditedField = { typed: z.ZodType; initial?: unknown; shown: z.ZodType }
type Fields = Readonly<Record<string, EditedField>>

type Input<Field extends EditedField> = Field extends { initial: unknown }
  ? z.ZodDefault<Field['typed']>
  : Field['typed']

const mapped = <Made>(fields: Fields, make: (field: EditedField) => z.ZodType): Made =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, make(field)])) as Made

/** The input shape of a new entity. */
export const inputShape = <Of extends Fields>(fields: Of): { [Name in keyof Of]: Input<Of[Name]> } =>
  mapped(fields, ({ typed, initial }) => (initial === undefined ? typed : typed.default(initial)))

/** The input shape of a change, without defaults. Make its object partial. */
export const patchShape = <Of extends Fields>(fields: Of): { [Name in keyof Of]: Of[Name]['typed'] } =>
  mapped(fields, ({ typed }) => typed)

/** The shape in responses. */
export const viewShape = <Of extends Fields>(fields: Of): { [Name in keyof Of]: Of[Name]['shown'] } =>
  mapped(fields, ({ shown }) => shown)

/** A new thing before anything is typed. @param required the fields that have no default, empty */
export const newValues = <Of extends Fields, Required extends object>(
  fields: Of,
  required: Required,
): Required & {
  [Name in keyof Of as Of[Name] extends { initial: unknown } ? Name : never]: z.infer<Of[Name]['typed']>
} =>
  Object.assign(
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, { initial }]) =>
        initial === undefined ? [] : [[name, initial]],
      ),
    ),
    required,
  ) as never

const MAX_COUNTRIES = 10
const MAX_COUNTRY = 60
/** Grams. */
export const MAX_PIECE_WEIGHT = 200_000

/** Items of a list, also of one that is text with commas between, as forms and CSV files have it. */
const splitList = (value: unknown): unknown =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
    : value

/** Countries where a product comes from, each once; empty: not stated. */
export const Origin = z.preprocess(
  splitList,
  z
    .array(line('country', MAX_COUNTRY), { error: 'origin must be a list of countries' })
    .max(MAX_COUNTRIES, `origin must have at most ${MAX_COUNTRIES} countries`)
    .transform((countries) => [...new Set(countries)]),
)

/** What a product contains, each once; empty: not stated. */
export const Allergens = z.preprocess(
  splitList,
  z
    .array(z.enum(allergens, { error: `must be one of ${allergens.join(', ')}` }), {
      error: 'allergens must be a list',
    })
    .max(100, 'allergens must have at most 100 items')
    .transform((found) => allergens.filter((allergen) => found.includes(allergen))),
)

/** A bulk change of prices: a new price in dollars, a difference in dollars, or a factor. */
type PriceChange = {
  priceValue?: number | undefined
  priceDelta?: number | undefined
  priceFactor?: number | undefined
}

/** A price in whole cents after a bulk change. Rounds half up to a cent, once, here. The result may be out of range. */
export function changedPrice(
  priceCents: number,
  { priceValue, priceDelta = 0, priceFactor = 1 }: PriceChange,
): number {
  const start = priceValue === undefined ? priceCents : nearestCents(priceValue)
  return halfUp(start * priceFactor) + nearestCents(priceDelta)
}

/** Rounding to six decimals removes errors of binary fractions up to the highest price, as in 3.33 × 1.1 × 100. */
const halfUp = (cents: number): number => Math.floor(Number((cents + 0.5).toFixed(6)))
