import { MAX_CART_LINES } from '@befaqt/domain/cart'
import type { ProductView } from '@befaqt/domain/catalogue'
import { unitsText } from '@befaqt/domain/labelling'
import { plus } from '@befaqt/domain/quantity'

/** What is said after `more` of a product were added. @param before how many of it were in the cart, `after`: are now */
export function addedText(
  before: number,
  after: number,
  more: number,
  { stock, unit }: Pick<ProductView, 'stock' | 'unit'>,
): string {
  if (after === 0)
    return `Your cart is full: it holds ${MAX_CART_LINES} different products. Remove one to add this.`
  if (after === before) return `That is all we have: ${unitsText(stock, unit)} in your cart.`
  if (after < plus(before, more)) return `Added what we have: ${unitsText(stock, unit)} in your cart.`
  return `Added. ${unitsText(after, unit)} in your cart.`
}
