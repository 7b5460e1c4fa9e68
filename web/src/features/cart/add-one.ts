import { readProduct } from '@befaqt/domain/api/endpoints/shop'
import { MAX_CART_LINES, NOT_ON_SALE } from '@befaqt/domain/cart'
import type { ProductView } from '@befaqt/domain/catalogue'
import { addToCart, type Chosen, quantityOf } from '@befaqt/domain/change-cart'
import { unitsText } from '@befaqt/domain/labelling'
import { preparations } from '@befaqt/domain/preparation'
import { plus } from '@befaqt/domain/quantity'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { cart } from './cart-store.ts'

const inCart = (product: ProductView) => quantityOf(cart.get().lines, product)

/**
 * Adds so much of a product as it was read. Returns the message to show, with how much of it is prepared how where that
 * differs.
 * @param chosen what is to be done to it; absent: as to what of it was added last
 */
export function addAmount(product: ProductView, quantity: number, chosen?: Chosen): string {
  const before = inCart(product)
  cart.change((now) => addToCart(now, product, quantity, chosen))
  const said = addedText(before, inCart(product), quantity, product)
  const lines = cart.get().lines.filter(({ _id }) => _id === product._id)
  if (lines.length < 2) return said
  const each = lines.map(
    (line) =>
      `${unitsText(line.quantity, line.unit)} ${preparations[line.preparation ?? 'whole'].name.toLowerCase()}`,
  )
  return `${said} Of it ${each.join('; ')}.`
}

/** Adds one unit of a product as it is on sale now, by the rules of its page. Returns the message to show. */
export async function addOne(id: string): Promise<string> {
  try {
    const product = await callApi(readProduct, { params: { id } })
    if (product.stock === 0) return product.saleStopped ? `${NOT_ON_SALE}.` : 'Out of stock now.'
    return addAmount(product, 1)
  } catch (error) {
    return userMessage(error)
  }
}

/** What is said after `more` of a product were added. @param before how many of it were in the cart, `after`: are now */
function addedText(
  before: number,
  after: number,
  more: number,
  { stock, unit }: Pick<ProductView, 'stock' | 'unit'>,
): string {
  if (after === 0) return `Your cart is full: it holds ${MAX_CART_LINES} lines. Remove one to add this.`
  if (after === before) return `That is all we have: ${unitsText(stock, unit)} in your cart.`
  if (after < plus(before, more)) return `Added what we have: ${unitsText(stock, unit)} in your cart.`
  return `Added. ${unitsText(after, unit)} in your cart.`
}
