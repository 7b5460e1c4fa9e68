import type { ManagedCoupon } from '@befaqt/domain/api/coupon-api'
import { CouponInput } from '@befaqt/domain/coupon-input'
import { cents, formatDollars } from '@befaqt/domain/money'
import { parseNumber } from '@befaqt/domain/typed-number'
import { z } from 'zod'
import { zonedTime } from '../slot/slot-values.ts'

/** What a coupon is for, as it is chosen. */
export type Goods = {
  kind: 'all' | 'categories' | 'products'
  categories: readonly string[]
  products: readonly { _id: string; title: string }[]
}
export const allGoods: Goods = { kind: 'all', categories: [], products: [] }

/** What is chosen, as it is sent: what was chosen of another kind before is not. */
export const chosenGoods = ({ kind, categories, products }: Goods) => ({
  ...(kind === 'categories' && { categories }),
  ...(kind === 'products' && { products: products.map(({ _id }) => _id) }),
})

/** Dollars as people type them, in cents; what is no number for the schema to refuse. */
function centsOf(dollars: unknown): unknown {
  const number = parseNumber(dollars)
  return typeof number === 'number' ? Math.round(number * 100_000) / 1_000 : number
}

const isEmpty = (value: unknown): boolean => String(value ?? '').trim() === ''

/** A coupon as its form sends it: what is left empty is not limited. */
export const couponForm = (timeZone: string) =>
  z.preprocess((values) => {
    if (typeof values !== 'object' || values === null) return values
    const typed: Record<string, unknown> = { ...values }
    const given = (name: string, read: (value: unknown) => unknown) =>
      isEmpty(typed[name]) ? {} : { [name]: read(typed[name]) }
    return {
      code: typed.code,
      ...('percent' in typed && { percent: parseNumber(typed.percent) }),
      ...('amount' in typed && { amount: centsOf(typed.amount) }),
      ...('products' in typed && { products: typed.products }),
      ...('categories' in typed && { categories: typed.categories }),
      ...given('minimum', centsOf),
      ...given('from', (time) => zonedTime(time, timeZone)),
      ...given('until', (time) => zonedTime(time, timeZone)),
      ...given('uses', parseNumber),
      ...given('usesEach', parseNumber),
      firstOrder: 'firstOrder' in typed,
    }
  }, CouponInput)

/** What a coupon takes off, in a word. */
export const offText = ({ percent, amount }: Pick<ManagedCoupon, 'percent' | 'amount'>): string =>
  percent === null ? formatDollars(cents(amount ?? 0)) : `${percent}%`

const SHOWN = 4

function names(all: NonNullable<ManagedCoupon['products']>): string {
  const shown = all.slice(0, SHOWN).map(({ title }) => title ?? 'something that is gone')
  const more = all.length - SHOWN
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** What a coupon is for, as a sentence without its end. */
export function goodsText({ products, categories, minimum, firstOrder }: ManagedCoupon): string {
  const goods = products ? names(products) : categories ? `all of ${names(categories)}` : 'everything'
  return [
    goods,
    ...(minimum > 0 ? [`from ${formatDollars(cents(minimum))}`] : []),
    ...(firstOrder ? ['first orders only'] : []),
  ].join(', ')
}

/** How often it is used, of how often it may be. */
export function usesText({ used, uses, usesEach }: ManagedCoupon): string {
  const times = uses === null ? `${used}` : `${used} of ${uses}`
  return usesEach === null ? times : `${times}, ${usesEach} a customer`
}
