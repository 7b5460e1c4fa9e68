import { ShopError } from './errors.ts'
import { thousandths } from './quantity.ts'

/** Whole Australian cents. Add and compare these; make dollars only when showing them. */
export type Cents = number & { readonly unit: 'cents' }

export const NO_MONEY = 0 as Cents

/** Whole cents from a number that is known to be whole. @throws ShopError `input.invalid` for fractions */
export function cents(amount: number): Cents {
  if (!Number.isSafeInteger(amount)) throw new ShopError('input.invalid', 'An amount must be whole cents.')
  return amount as Cents
}

/**
 * Cents from the specification's decimals: 19.99 → 1999. Exact: numbers with more than two decimals are rejected.
 * @throws ShopError `input.invalid` for fractions of a cent, NaN and infinities
 */
export function centsFromDecimal(dollars: number): Cents {
  const amount = Math.round(dollars * 100)
  if (!Number.isSafeInteger(amount) || amount / 100 !== dollars)
    throw new ShopError('input.invalid', 'An amount must not have fractions of a cent.')
  return (amount === 0 ? 0 : amount) as Cents
}

/** The nearest cents to an amount that may have fractions of one, as a person types a limit. */
export const nearestCents = (dollars: number): Cents => Math.round(dollars * 100) as Cents

/** The specification's decimals from cents: 1999 → 19.99. */
export const decimalFromCents = (amount: Cents): number => amount / 100

/** Price after a discount of `percent` (0–100). Rounds half up to a cent, once, here. Source: spec §9. */
export const discounted = (price: Cents, percent: number): Cents =>
  Math.floor((price * (100 - percent) + 50) / 100) as Cents

/**
 * Price of so many units, which may have three decimals. Rounds half up to a cent, once; the price of what is weighed
 * (`priceOfGrams`) is the same.
 */
export function priceOf(price: Cents, quantity: number): Cents {
  const whole = Math.trunc(quantity)
  const rest = thousandths(quantity) - whole * 1_000
  return (price * whole + Math.floor((price * rest + 500) / 1_000)) as Cents
}

/** What one unit of a product costs after discount. Source: spec §9. */
export const salePrice = ({ price, discount }: { price: number; discount: number }): Cents =>
  discounted(centsFromDecimal(price), discount)

/** GST inside an amount that includes it: one eleventh, half up to a cent. Source: spec §9. */
export const gstIncluded = (amount: Cents): Cents => Math.floor((amount * 2 + 11) / 22) as Cents

export const addCents = (amounts: readonly Cents[]): Cents =>
  amounts.reduce<number>((sum, amount) => sum + amount, 0) as Cents

/** '$19.99', with two decimals always. Source: spec §9. */
export function formatDollars(amount: Cents): string {
  const sign = amount < 0 ? '-' : ''
  return `${sign}$${(Math.abs(amount) / 100).toFixed(2)}`
}

/** Displayed price after discount: '$19.99/kg'. Source: spec §9. */
export const priceLabel = (price: Cents, percent: number, unit: string): string =>
  `${formatDollars(discounted(price, percent))}/${unit}`

/** '15%off' when there is a discount, else null. Source: spec §9. */
export const discountLabel = (percent: number): string | null => (percent > 0 ? `${percent}%off` : null)
