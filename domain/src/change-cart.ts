import { type Cart, type CartLine, type CartProduct, MAX_CART_LINES } from './cart.ts'
import { offered, preparedPrice } from './preparation.ts'
import { downTo, plus, stepOf, USUAL_STEP } from './quantity.ts'
import type { PreparedKind } from './statuses.ts'

/** What is to be done to it; 'whole': nothing. */
export type Chosen = 'whole' | PreparedKind

/** The cart's line of a product, from its current data. What is not offered of it leaves it whole. */
export const lineOf = (product: CartProduct, quantity: number, chosen?: Chosen): CartLine => {
  const preparation = offered(product, chosen)
  return {
    _id: product._id,
    title: product.title,
    imagePaths: product.imagePaths,
    priceCents: preparedPrice(product.price, preparation),
    includeGST: product.includeGST,
    unit: product.unit,
    shelfPos: product.shelfPos,
    status: product.status,
    description: product.description,
    quantity,
    discount: product.discount,
    stock: product.stock,
    ...(product.step !== undefined && product.step !== USUAL_STEP && { step: product.step }),
    ...(preparation && { preparation: preparation.kind }),
  }
}

/** The cart with what is to be done to a product that is in it. */
export const prepareAs = (cart: Cart, product: CartProduct, chosen: Chosen): Cart =>
  cart.map((line) => (line._id === product._id ? lineOf(product, line.quantity, chosen) : line))

/** Whether no further product can be added. */
export const isCartFull = (cart: Cart): boolean => cart.length >= MAX_CART_LINES

/** Whether a line holds what its product is not sold in any more: its step or its unit changed. */
export const isOffStep = (line: Pick<CartLine, 'unit' | 'step' | 'quantity'>): boolean =>
  downTo(stepOf(line), line.quantity) !== line.quantity

/**
 * Adds `more` of a product, 1 by default: to its line, or as a new one, never above its stock. A full cart
 * accepts no new line. Source: spec §4.
 * @param chosen what is to be done to all of the line; absent: as it is in the cart, else whole
 */
export function addToCart(cart: Cart, product: CartProduct, more = 1, chosen?: Chosen): Cart {
  if (product.stock <= 0 || more <= 0) return cart
  const had = cart.find((line) => line._id === product._id)
  if (had === undefined && isCartFull(cart)) return cart
  const quantity = Math.min(plus(had?.quantity ?? 0, more), product.stock)
  const line = lineOf(product, quantity, chosen ?? had?.preparation)
  if (had === undefined) return [...cart, line]
  return cart.map((other) => (other === had ? line : other))
}

/** Increases a line to its next step, never above its stock. */
export const increase = (cart: Cart, id: string): Cart =>
  cart.map((line) => {
    if (line._id !== id || line.quantity >= line.stock) return line
    const step = stepOf(line)
    return { ...line, quantity: Math.min(plus(downTo(step, line.quantity), step), line.stock) }
  })

/** What a line decreases to, the step before; 0: it is removed. */
export const stepBefore = (line: Pick<CartLine, 'unit' | 'step' | 'quantity'>): number =>
  downTo(stepOf(line), plus(line.quantity, -0.001))

/** Decreases a line to the step before; at the first it is removed. Source: spec §4. */
export const decrease = (cart: Cart, id: string): Cart =>
  cart.flatMap((line) => {
    if (line._id !== id) return [line]
    const quantity = stepBefore(line)
    return quantity > 0 ? [{ ...line, quantity }] : []
  })

/**
 * Sets the quantity of a line: capped at its stock, parts of a step dropped, removed below one. NaN changes nothing.
 */
export function setQuantity(cart: Cart, id: string, quantity: number): Cart {
  if (Number.isNaN(quantity)) return cart
  return cart.flatMap((line) => {
    if (line._id !== id) return [line]
    const wanted = downTo(stepOf(line), Math.min(quantity, line.stock))
    return wanted > 0 ? [{ ...line, quantity: wanted }] : []
  })
}

/** The cart without what was ordered of it; what was added meanwhile stays. */
export const withoutOrdered = (
  cart: Cart,
  ordered: readonly { product_id: string; quantity: number }[],
): Cart =>
  cart.flatMap((line) => {
    const taken = ordered.find(({ product_id }) => product_id === line._id)?.quantity ?? 0
    return line.quantity > taken ? [{ ...line, quantity: plus(line.quantity, -taken) }] : []
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
