import type { BulkUpdate } from '@befaqt/domain/api/endpoints/managed-catalogue'
import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import { newProduct, Price, ProductInput, ProductPatch } from '@befaqt/domain/catalogue'
import { type Allergen, allergens } from '@befaqt/domain/labelling'
import { nearestCents } from '@befaqt/domain/money'
import { type Preparation, preparationsError, preparationsText } from '@befaqt/domain/preparation'
import { changedPrice } from '@befaqt/domain/product-fields'
import { ScheduleChange } from '@befaqt/domain/schedule'
import { type PreparedKind, preparedKinds } from '@befaqt/domain/statuses'
import { parseNumber } from '@befaqt/domain/typed-number'
import { z } from 'zod'
import { fileUrl } from '#web/api/file-url.ts'
import { appendImages, keptImage } from '../edited-list/edited-images.ts'
import type { WithImages } from '../edited-list/images-field.tsx'
import { valueText } from '../list/differences.ts'
import { noPlan, planIn, type TypedPlan, typedPlan } from './plan.ts'

/** Operations by which prices can be changed for many at once. */
export const priceOperations = [
  ['', 'No change'],
  ['value', 'Set to (dollars)'],
  ['delta', 'Change by dollars (use - to lower)'],
  ['percent', 'Change by % (use - to lower)'],
] as const

type Asked = {
  category: string
  status: string
  stock: string
  discount: string
  way: string
  amount: string
}

const MAX_PERCENT = 900

/** The change of all selected products, or its errors by field. */
export function readBulkUpdate({ category, status, stock, discount, way, amount }: Asked): {
  set: BulkUpdate
  errors: Readonly<Record<string, string>>
} {
  const errors: Record<string, string> = {}
  const set: BulkUpdate = { ...(category && { category_id: category }) }
  const asked = ProductPatch.pick({ status: true, stock: true, discount: true }).safeParse({
    ...(status && { status }),
    ...(stock.trim() && { stock: parseNumber(stock) }),
    ...(discount.trim() && { discount: parseNumber(discount) }),
  })
  for (const issue of asked.error?.issues ?? []) errors[String(issue.path[0])] = issue.message
  if (asked.data?.status) set.status = asked.data.status
  if (asked.data?.stock !== undefined) set.stock = asked.data.stock
  if (asked.data?.discount !== undefined) set.discount = asked.data.discount
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
  const { category_id = row.category_id, status = row.status, stock = row.stock, schedule, ...price } = set
  const { discount = schedule?.markdown?.percent ?? row.discount } = set
  const changed = { category_id, status, stock, discount }
  return { ...row, ...changed, price: changedPrice(Math.round(row.price * 100), price) / 100 }
}

/** A product as its form has it, with what is planned of it. */
type PlannedInput = ProductInput & { schedule: TypedPlan }

const NUMBERS = ['price', 'discount', 'stock', 'pieceWeight', 'orderLimit', 'step']

/** Name of the box to tick for an allergen. */
export const allergenBox = (allergen: Allergen): string => `contains-${allergen}`

/** Names of what is typed of a preparation: whether it is offered, and with which yield and fee. */
export const preparedFields = (kind: PreparedKind) => ({
  kind: `prepared-${kind}`,
  yieldPercent: `yield-${kind}`,
  feeCents: `fee-${kind}`,
})

/** The preparations whose box is ticked, as they are typed. */
const typedPreparations = (values: Record<string, unknown>) =>
  preparedKinds.flatMap((kind) => {
    const names = preparedFields(kind)
    if (!(names.kind in values)) return []
    const fee = parseNumber(values[names.feeCents])
    const isWhole = typeof fee === 'number' && nearestCents(fee) / 100 === fee
    const feeCents = isWhole ? nearestCents(fee) : fee === '' ? Number.NaN : fee
    return [{ kind, yieldPercent: parseNumber(values[names.yieldPercent]), feeCents }]
  })

/** A value of a product as its form sends it. */
function sentText(field: string, value: unknown): string {
  if (field === 'schedule') return JSON.stringify(value)
  return field === 'preparations' ? preparationsText(value as Preparation[]) : String(value)
}

/** A value of a product as text: preparations as files have them. */
export const productText = (field: string, value: unknown): string =>
  field === 'preparations' && Array.isArray(value) && value.length > 0
    ? preparationsText(value as Preparation[])
    : valueText(value)

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
    preparations: typedPreparations({ ...values }),
  }
}

/** Where something is wrong, by the fields of the form: those of a preparation have names of their own. */
function pathInForm(values: unknown, path: readonly PropertyKey[]): readonly PropertyKey[] {
  const [field, at, part] = path
  if (field !== 'preparations' || typeof at !== 'number' || typeof part !== 'string') return path
  const kinds = typedPreparations(Object(values)).map(({ kind }) => kind)
  const names: Record<string, string> = preparedFields(kinds[at] ?? 'gutted')
  return [names[part] ?? field]
}

/** A product as its form sends it, checked by what the server parses with; moments are checked by the server alone. */
export const ProductForm = z.unknown().transform((values, { addIssue }): PlannedInput => {
  const { data, error } = ProductInput.safeParse(typedProduct(values))
  for (const { path, message } of error?.issues ?? [])
    addIssue({ code: 'custom', path: [...pathInForm(values, path)], message })
  const wrong = data && preparationsError(data)
  if (wrong) addIssue({ code: 'custom', path: ['preparations'], message: wrong })
  const schedule = planIn(Object(values))
  for (const { path, message } of ScheduleChange.safeParse(schedule).error?.issues ?? [])
    addIssue({ code: 'custom', path: [`schedule.${path.join('.')}`], message })
  return data ? { ...data, schedule } : z.NEVER
})

/** What the form of a product holds. */
export type ProductValues = WithImages<PlannedInput>

/** What the form of a new product starts with. */
export const newProductValues: ProductValues = { ...newProduct, schedule: noPlan, images: [] }

/** What the form of the next product starts with: many of a landing are alike but for name, price and picture. */
export const afterProduct = (made: ProductValues): ProductValues => {
  const { category_id, unit, includeGST, step, origin, allergens } = made
  return { ...newProductValues, category_id, unit, includeGST, step, origin, allergens }
}

/** What the form of this product starts with. */
export const productValues = (row: ManagedProduct, timeZone: string): ProductValues => ({
  title: row.title,
  category_id: row.category_id,
  price: row.price,
  unit: row.unit,
  includeGST: row.includeGST,
  discount: row.discount,
  stock: row.stock,
  shelfPos: row.shelfPos,
  status: row.status,
  origin: row.origin,
  allergens: row.allergens,
  pieceWeight: row.pieceWeight,
  orderLimit: row.orderLimit,
  step: row.step,
  preparations: row.preparations,
  description: row.description,
  schedule: typedPlan(row.schedule, timeZone),
  images: row.images.map((image) => keptImage(image, fileUrl(image.path))),
})

/** Fields of a product as the call takes them. */
export function productBody({ images, ...fields }: Partial<ProductValues>): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, sentText(name, value))
  if (images) appendImages(body, images)
  return body
}
