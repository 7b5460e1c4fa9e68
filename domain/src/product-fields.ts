import { z } from 'zod'
import { line } from './fields.ts'
import { allergens } from './labelling.ts'
import { MAX_FEE_DOLLARS } from './limits.ts'
import { nearestCents } from './money.ts'
import { preparedKinds } from './statuses.ts'
import { parseNumber } from './typed-number.ts'

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

/** What can be done to a product, as it is shown. Fees in cents a unit. */
export const PreparationView = z.strictObject({
  kind: z.enum(preparedKinds),
  yieldPercent: z.int(),
  feeCents: z.int(),
})

/**
 * Preparations from text, as forms and CSV files have them: kind, percent that is left, dollars a unit. An item that is
 * none stays text, for the schema to refuse.
 */
const splitPreparations = (value: unknown): unknown => {
  const items = splitList(value)
  if (!Array.isArray(items)) return items
  return items.map((item: unknown) => {
    const words = typeof item === 'string' ? item.replaceAll('%', ' ').trim().split(/\s+/) : []
    if (words.length !== 3) return item
    const [kind, left, fee] = words
    return { kind, yieldPercent: parseNumber(left), feeCents: centsOf(parseNumber(fee)) }
  })
}

/** Fractions of a cent stay, for the schema to refuse. */
const centsOf = (dollars: unknown): unknown =>
  typeof dollars === 'number' ? Number((dollars * 100).toFixed(6)) : dollars

const FEE = `fee must be 0 to ${MAX_FEE_DOLLARS} dollars in whole cents`

const TypedPreparation = z.strictObject(
  {
    kind: z.enum(preparedKinds, `must be one of ${preparedKinds.join(', ')}`),
    yieldPercent: z
      .int('yield must be a whole percent')
      .min(1, 'yield must be 1 to 100 percent')
      .max(100, 'yield must be 1 to 100 percent'),
    feeCents: z
      .int(FEE)
      .min(0, FEE)
      .max(MAX_FEE_DOLLARS * 100, FEE),
  },
  'write kind, yield and fee, as in gutted 85% 2.00',
)

/** What can be done to a product, each once; empty: it is sold whole alone. */
export const Preparations = z.preprocess(
  splitPreparations,
  z
    .array(TypedPreparation, { error: 'preparations must be a list' })
    .max(preparedKinds.length, `preparations must be at most ${preparedKinds.length}`)
    .refine(
      (all) => new Set(all.map(({ kind }) => kind)).size === all.length,
      'a preparation is listed twice',
    )
    .transform((all) => preparedKinds.flatMap((kind) => all.find((one) => one.kind === kind) ?? [])),
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
