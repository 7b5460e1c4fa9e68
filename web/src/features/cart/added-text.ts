import { MAX_CART_LINES } from '@befaqt/domain/cart'

/** What is said after `more` of a product were added. @param before how many of it were in the cart, `after`: are now */
export function addedText(before: number, after: number, more: number, stock: number): string {
  if (after === 0)
    return `Your cart is full: it holds ${MAX_CART_LINES} different products. Remove one to add this.`
  if (after === before) return `That is all we have: ${stock} in your cart.`
  if (after < before + more) return `Added what we have: ${stock} in your cart.`
  return `Added. ${after} in your cart.`
}
