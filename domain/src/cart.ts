import type { ProductView } from './catalogue.ts'
import { type Cents, centsFromDecimal } from './money.ts'
import type { Status } from './status.ts'

/** One product in the cart. Fields of spec §3, the price in cents; `stock` is what was left when last looked. */
export type CartLine = {
  _id: string
  title: string
  imagePaths: string[]
  /** Price of one unit before discount. */
  priceCents: Cents
  includeGST: boolean
  unit: string
  shelfPos: string
  status: Status
  description: string
  quantity: number
  /** Percent, 0 to 100. */
  discount: number
  stock: number
}

/** Lines in the order in which they were added, at most one for a product. Never changed in place. */
export type Cart = readonly CartLine[]

/** What the cart keeps of a product. */
export type CartProduct = Omit<CartLine, 'priceCents' | 'quantity'> & Pick<ProductView, 'price'>

/** The cart's line of a product, as it is now. */
export const lineOf = (product: CartProduct, quantity: number): CartLine => ({
  _id: product._id,
  title: product.title,
  imagePaths: product.imagePaths,
  priceCents: centsFromDecimal(product.price),
  includeGST: product.includeGST,
  unit: product.unit,
  shelfPos: product.shelfPos,
  status: product.status,
  description: product.description,
  quantity,
  discount: product.discount,
  stock: product.stock,
})

/** Most different products in one cart; one more is refused when it is added, never later. */
export const MAX_CART_LINES = 500

/** Whether there is no room for a product that is not in the cart yet. */
export const isCartFull = (cart: Cart): boolean => cart.length >= MAX_CART_LINES

/**
 * One more of a product: an existing line +1, a new one starts at 1, never above its stock. A full cart takes no new
 * line. Source: spec §4.
 */
export function addToCart(cart: Cart, product: CartProduct): Cart {
  if (product.stock < 1) return cart
  const had = cart.find((line) => line._id === product._id)
  if (had === undefined) return isCartFull(cart) ? cart : [...cart, lineOf(product, 1)]
  const line = lineOf(product, Math.min(had.quantity + 1, product.stock))
  return cart.map((other) => (other === had ? line : other))
}

/** One more of a line, never above its stock. */
export const increase = (cart: Cart, id: string): Cart =>
  cart.map((line) =>
    line._id === id && line.quantity < line.stock ? { ...line, quantity: line.quantity + 1 } : line,
  )

/** One less of a line; at 1 the line goes. Source: spec §4. */
export const decrease = (cart: Cart, id: string): Cart =>
  cart.flatMap((line) => {
    if (line._id !== id) return [line]
    return line.quantity > 1 ? [{ ...line, quantity: line.quantity - 1 }] : []
  })

/**
 * As many of a line as were typed: capped at its stock, fractions dropped, below 1 the line goes. What is no
 * number changes nothing.
 */
export function setQuantity(cart: Cart, id: string, quantity: number): Cart {
  if (Number.isNaN(quantity)) return cart
  return cart.flatMap((line) => {
    if (line._id !== id) return [line]
    const wanted = Math.min(Math.trunc(quantity), line.stock)
    return wanted >= 1 ? [{ ...line, quantity: wanted }] : []
  })
}

/** Takes a whole line out. Source: spec §4. */
export const removeFromCart = (cart: Cart, id: string): Cart => cart.filter((line) => line._id !== id)

/**
 * Puts lines back that were taken out, each after the lines that stood before it, and changes nothing else: what was
 * added, changed or removed since stays so, and a line that has come back meanwhile stays as it is now.
 * @param before the cart as it was when they were taken out
 */
export function putBack(cart: Cart, before: Cart, ids: ReadonlySet<string>): Cart {
  const lines = [...cart]
  const placeOf = (id: string): number => lines.findIndex((line) => line._id === id)
  for (const [i, line] of before.entries()) {
    if (!ids.has(line._id) || placeOf(line._id) >= 0) continue
    const earlier = before.slice(0, i).findLast(({ _id }) => placeOf(_id) >= 0)
    lines.splice(earlier ? placeOf(earlier._id) + 1 : 0, 0, line)
  }
  return lines
}

/** How many units are in the cart: the number on the cart's badge. */
export const cartCount = (cart: Cart): number => cart.reduce((sum, line) => sum + line.quantity, 0)
