import { z } from 'zod'
import { allergens } from './labelling.ts'
import { line } from './text.ts'

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
