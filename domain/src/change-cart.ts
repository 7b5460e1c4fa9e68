import { type Cart, type CartLine, type CartProduct, MAX_CART_LINES } from './cart.ts'
import { centsFromDecimal } from './money.ts'

/** What is shown instead of Add where there is stock but nothing of it may be sold: its boxes are recalled or off sale. */
export const NOT_ON_SALE = 'Not on sale just now'

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

/** Whether no further product can be added. */
export const isCartFull = (cart: Cart): boolean => cart.length >= MAX_CART_LINES

/** Whether what was typed is a quantity: digits only. */
export const isWhole = (typed: string): boolean => /^\s*\d+\s*$/.test(typed)

/**
 * Adds `more` of a product, 1 by default: to its line, or as a new one, never above its stock. A full cart
 * accepts no new line. Source: spec §4.
 */
export function addToCart(cart: Cart, product: CartProduct, more = 1): Cart {
  if (product.stock < 1 || more < 1) return cart
  const had = cart.find((line) => line._id === product._id)
  if (had === undefined && isCartFull(cart)) return cart
  const line = lineOf(product, Math.min((had?.quantity ?? 0) + more, product.stock))
  if (had === undefined) return [...cart, line]
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

/** The cart without what was ordered of it; what was added meanwhile stays. */
export const withoutOrdered = (
  cart: Cart,
  ordered: readonly { product_id: string; quantity: number }[],
): Cart =>
  cart.flatMap((line) => {
    const taken = ordered.find(({ product_id }) => product_id === line._id)?.quantity ?? 0
    return line.quantity > taken ? [{ ...line, quantity: line.quantity - taken }] : []
  })

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
