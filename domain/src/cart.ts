import type { ProductView } from './catalogue.ts'
import { type Cents, centsFromDecimal } from './money.ts'
import type { Status } from './status.ts'

/** One product in the cart. Fields of spec §3, the price in cents; `stock` is the last known stock. */
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

/** Lines in the order in which they were added, at most one per product. Immutable. */
export type Cart = readonly CartLine[]

/** The fields of a product that the cart stores. */
export type CartProduct = Omit<CartLine, 'priceCents' | 'quantity'> & Pick<ProductView, 'price'>

/** The cart's line of a product, from its current data. */
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

/** Maximum number of different products in a cart, enforced when one is added. */
export const MAX_CART_LINES = 500

/** Whether no further product can be added. */
export const isCartFull = (cart: Cart): boolean => cart.length >= MAX_CART_LINES

/**
 * Adds one of a product: an existing line +1, a new one starts at 1, never above its stock. A full cart accepts no new
 * line. Source: spec §4.
 */
export function addToCart(cart: Cart, product: CartProduct): Cart {
  if (product.stock < 1) return cart
  const had = cart.find((line) => line._id === product._id)
  if (had === undefined) return isCartFull(cart) ? cart : [...cart, lineOf(product, 1)]
  const line = lineOf(product, Math.min(had.quantity + 1, product.stock))
  return cart.map((other) => (other === had ? line : other))
}

/** Increases a line by one, never above its stock. */
export const increase = (cart: Cart, id: string): Cart =>
  cart.map((line) =>
    line._id === id && line.quantity < line.stock ? { ...line, quantity: line.quantity + 1 } : line,
  )

/** Decreases a line by one; at 1 it is removed. Source: spec §4. */
export const decrease = (cart: Cart, id: string): Cart =>
  cart.flatMap((line) => {
    if (line._id !== id) return [line]
    return line.quantity > 1 ? [{ ...line, quantity: line.quantity - 1 }] : []
  })

/**
 * Sets the quantity of a line: capped at its stock, fractions dropped, removed below 1. NaN changes nothing.
 */
export function setQuantity(cart: Cart, id: string, quantity: number): Cart {
  if (Number.isNaN(quantity)) return cart
  return cart.flatMap((line) => {
    if (line._id !== id) return [line]
    const wanted = Math.min(Math.trunc(quantity), line.stock)
    return wanted >= 1 ? [{ ...line, quantity: wanted }] : []
  })
}

/** Removes a line. Source: spec §4. */
export const removeFromCart = (cart: Cart, id: string): Cart => cart.filter((line) => line._id !== id)

/**
 * Restores removed lines, each after the lines that preceded it, and changes nothing else: later additions, changes and
 * removals stay, and a line that was added again meanwhile is left unchanged.
 * @param before the cart before the removal
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

/** Number of units in the cart, for its badge. */
export const cartCount = (cart: Cart): number => cart.reduce((sum, line) => sum + line.quantity, 0)
