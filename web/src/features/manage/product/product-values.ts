import type { BulkUpdate } from '@befaqt/domain/api/endpoints/managed-catalogue'
import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import { Price, ProductInput, ProductPatch } from '@befaqt/domain/catalogue'
import { type Allergen, allergens } from '@befaqt/domain/labelling'
import { changedPrice } from '@befaqt/domain/product-fields'
import { parseNumber } from '@befaqt/domain/typed-number'
import { z } from 'zod'

/** Operations by which prices can be changed for many at once. */
export const priceOperations = [
  ['', 'No change'],
  ['value', 'Set to (dollars)'],
  ['delta', 'Change by dollars (use - to lower)'],
  ['percent', 'Change by % (use - to lower)'],
] as const

type Asked = { status: string; stock: string; way: string; amount: string }

const MAX_PERCENT = 900

/** The change of all selected products, or its errors by field. */
export function readBulkUpdate({ status, stock, way, amount }: Asked): {
  set: BulkUpdate
  errors: Readonly<Record<string, string>>
} {
  const errors: Record<string, string> = {}
  const set: BulkUpdate = {}
  const asked = ProductPatch.pick({ status: true, stock: true }).safeParse({
    ...(status && { status }),
    ...(stock.trim() && { stock: parseNumber(stock) }),
  })
  for (const issue of asked.error?.issues ?? []) errors[String(issue.path[0])] = issue.message
  if (asked.data?.status) set.status = asked.data.status
  if (asked.data?.stock !== undefined) set.stock = asked.data.stock
  if (way !== '') {
    const number = parseNumber(amount)
    const price = Price.safeParse(way === 'value' || typeof number !== 'number' ? number : Math.abs(number))
    if (typeof number !== 'number' || (way !== 'percent' && !price.success))
      errors.amount =
        way === 'percent' ? 'write percent like 10 or 2.5' : (price.error?.issues[0]?.message ?? '')
    else if (way === 'percent' && (number < -100 || number > MAX_PERCENT))
      errors.amount = `must be -100 to ${MAX_PERCENT}`
    else if (way === 'value') set.priceValue = number
    else if (way === 'delta') set.priceDelta = number
    else set.priceFactor = Number((1 + number / 100).toFixed(6))
  }
  if (Object.keys(errors).length === 0 && Object.keys(set).length === 0)
    errors.status = 'choose what to change'
  return { set, errors }
}

/** A product as it will be after the change. */
export function bulkPreview(row: ManagedProduct, set: BulkUpdate): ManagedProduct {
  const { status = row.status, stock = row.stock, ...price } = set
  return { ...row, status, stock, price: changedPrice(Math.round(row.price * 100), price) / 100 }
}

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
