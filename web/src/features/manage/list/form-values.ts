import { ProductInput } from '@befaqt/domain/catalogue'
import { Role, Status } from '@befaqt/domain/status'
import { line } from '@befaqt/domain/text'
import { numberOf } from '@befaqt/domain/typed-number'
import { z } from 'zod'

const NUMBERS = ['price', 'discount', 'stock']

/** Values of a product's form with the types that the shop's schema wants: a box that is not ticked is not sent. */
function typedProduct(values: unknown): unknown {
  if (typeof values !== 'object' || values === null) return values
  const typed = Object.entries(values).map(([name, value]) => [
    name,
    NUMBERS.includes(name) ? numberOf(value) : value,
  ])
  return { ...Object.fromEntries(typed), includeGST: 'includeGST' in values }
}

/** A product as its form sends it, checked by what the server parses with. */
export const ProductForm = z.preprocess(typedProduct, ProductInput)

/** What a manager changes of an account. Source: spec §6. */
export const UserForm = z.object({
  fname: line('first name', 100),
  lname: line('last name', 100),
  role: Role,
  status: Status,
})
export type UserForm = z.infer<typeof UserForm>
