import { ProductInput } from '@befaqt/domain/catalogue'
import { type Allergen, allergens } from '@befaqt/domain/labelling'
import { parseNumber } from '@befaqt/domain/typed-number'
import { z } from 'zod'

const NUMBERS = ['price', 'discount', 'stock', 'pieceWeight', 'orderLimit', 'step']

/** Name of the box to tick for an allergen. */
export const allergenBox = (allergen: Allergen): string => `contains-${allergen}`

/** Values of a product's form with the types that the shop's schema wants: a box that is not ticked is not sent. */
function typedProduct(values: unknown): unknown {
  if (typeof values !== 'object' || values === null) return values
  const typed = Object.entries(values).map(([name, value]) => [
    name,
    NUMBERS.includes(name) ? parseNumber(value) : value,
  ])
  return {
    ...Object.fromEntries(typed),
    includeGST: 'includeGST' in values,
    allergens: allergens.filter((allergen) => allergenBox(allergen) in values),
  }
}

/** A product as its form sends it, checked by what the server parses with. */
export const ProductForm = z.preprocess(typedProduct, ProductInput)
