import type { Cart, CartProduct } from './cart.ts'
import { type Unavailable, unavailable, unavailableText } from './cart-reconcile.ts'
import { addToCart, isCartFull } from './change-cart.ts'

/** The lines of an earlier order that could not go into the cart as ordered. */
export type NotAgain = { title: string } & (
  | { why: Unavailable | 'cart-full' }
  | { why: 'fewer'; wanted: number; added: number }
)

/**
 * Adds the lines of an earlier order to the cart, as far as they are still on sale and in stock.
 * @param onSale the active products as they are now: prices are theirs, not those of the order
 */
export function buyAgain(
  cart: Cart,
  ordered: readonly { product_id: string; title: string; quantity: number }[],
  onSale: readonly CartProduct[],
): { cart: Cart; missed: NotAgain[] } {
  const missed: NotAgain[] = []
  let filled = cart
  for (const { product_id, title, quantity } of ordered) {
    const product = onSale.find(({ _id }) => _id === product_id)
    const before = quantityOf(filled, product_id)
    const why = unavailable(product)
    if (product === undefined || why !== undefined) missed.push({ title, why: why ?? 'gone' })
    else if (before === 0 && isCartFull(filled)) missed.push({ title, why: 'cart-full' })
    else {
      filled = addToCart(filled, product, quantity)
      const added = quantityOf(filled, product_id) - before
      if (added < quantity) missed.push({ title, why: 'fewer', wanted: quantity, added })
    }
  }
  return { cart: filled, missed }
}

const quantityOf = (cart: Cart, id: string): number => cart.find(({ _id }) => _id === id)?.quantity ?? 0

/** As text for the shopper. */
export function notAgainText(missed: NotAgain): string {
  const { title } = missed
  switch (missed.why) {
    case 'cart-full':
      return `${title} did not fit: your cart is full.`
    case 'fewer':
      return missed.added === 0
        ? `All there is of ${title} is in your cart already.`
        : `Only ${missed.added} of ${missed.wanted} of ${title} could be added: that is all there is.`
    default:
      return `${title} ${unavailableText[missed.why]}.`
  }
}
