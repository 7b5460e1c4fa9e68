import { type Cart, type CartLine, type CartProduct, lineKey, MAX_CART_LINES } from './cart.ts'
import { offered, preparedPrice } from './preparation.ts'
import { downTo, inUnit, plus, stepOf, USUAL_STEP } from './quantity.ts'
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

/**
 * How much of a product is in the cart, however it is prepared, in what it is sold by; lines that can't be counted in that
 * are left out. @param but without this line
 */
export const quantityOf = (
  cart: Cart,
  { _id, unit }: Pick<CartProduct, '_id' | 'unit'>,
  but?: string,
): number =>
  cart.reduce(
    (sum, line) =>
      line._id === _id && lineKey(line) !== but
        ? plus(sum, inUnit(line.quantity, line.unit, unit) ?? 0)
        : sum,
    0,
  )

/** How much a line can be at most: what its other lines leave of the stock of its product. */
const roomOf = (cart: Cart, line: CartLine): number =>
  Math.max(0, plus(line.stock, -quantityOf(cart, line, lineKey(line))))

/**
 * The cart with something else to be done to one of its lines. Where a line is prepared like that already, the other goes
 * into it, and `unmerged` takes it out again.
 */
export function prepareAs(cart: Cart, key: string, product: CartProduct, chosen: Chosen): Cart {
  const line = cart.find((one) => lineKey(one) === key)
  if (line === undefined) return cart
  const now = lineOf(product, line.quantity, chosen)
  return merged(
    cart.map((one) => (one === line ? now : one)),
    now,
  )
}

/** Lines in which one that is prepared like another went into it. */
function merged(lines: Cart, line: CartLine): Cart {
  const other = lines.find((one) => one !== line && lineKey(one) === lineKey(line))
  if (other === undefined) return lines
  const both = { ...line, quantity: plus(line.quantity, other.quantity) }
  return lines.flatMap((one) => (one === line ? [] : one === other ? [both] : [one]))
}

/**
 * Takes out again what `prepareAs` put into another line, as far as it is there: it stands where it stood before, as it
 * was, and other changes stay.
 * @param before the cart before that @param key of the line that went @param into of the one that took it
 */
export function unmerged(cart: Cart, before: Cart, key: string, into: string): Cart {
  const line = before.find((one) => lineKey(one) === key)
  const taken = cart.find((one) => lineKey(one) === into)
  if (line === undefined || taken === undefined || cart.some((one) => lineKey(one) === key)) return cart
  const quantity = Math.min(line.quantity, taken.quantity)
  const rest = plus(taken.quantity, -quantity)
  const left = cart.flatMap((one) => (one !== taken ? [one] : rest > 0 ? [{ ...one, quantity: rest }] : []))
  return putBack(
    left,
    before.map((one) => (one === line ? { ...one, quantity } : one)),
    new Set([key]),
  )
}

/** Whether no further line can be added. */
export const isCartFull = (cart: Cart): boolean => cart.length >= MAX_CART_LINES

/** Whether a line holds what its product is not sold in any more: its step or its unit changed. */
export const isOffStep = (line: Pick<CartLine, 'unit' | 'step' | 'quantity'>): boolean =>
  downTo(stepOf(line), line.quantity) !== line.quantity

/**
 * Adds `more` of a product, 1 by default: to its line that is prepared like that, or as a new one, never above its stock,
 * which its lines share. A full cart accepts no new line. What its line held in a unit that can't be converted goes: two
 * kilograms and a bag are not three of anything. Source: spec §4.
 * @param chosen what is to be done to it; absent: as to what of it was added last, else nothing
 */
export function addToCart(cart: Cart, product: CartProduct, more = 1, chosen?: Chosen): Cart {
  if (product.stock <= 0 || more <= 0) return cart
  const line = lineOf(product, more, chosen ?? cart.findLast(({ _id }) => _id === product._id)?.preparation)
  const had = cart.find((other) => lineKey(other) === lineKey(line))
  if (had === undefined && isCartFull(cart)) return cart
  const before = had === undefined ? 0 : (inUnit(had.quantity, had.unit, line.unit) ?? 0)
  const quantity = Math.min(plus(before, more), roomOf(cart, line))
  if (quantity <= before) return cart
  if (had === undefined) return [...cart, { ...line, quantity }]
  return cart.map((other) => (other === had ? { ...line, quantity } : other))
}

/** Increases a line to its next step, never above what there is. */
export const increase = (cart: Cart, key: string): Cart =>
  cart.map((line) => {
    const room = roomOf(cart, line)
    if (lineKey(line) !== key || line.quantity >= room) return line
    const step = stepOf(line)
    return { ...line, quantity: Math.min(plus(downTo(step, line.quantity), step), room) }
  })

/** What a line decreases to, the step before; 0: it is removed. */
export const stepBefore = (line: Pick<CartLine, 'unit' | 'step' | 'quantity'>): number =>
  downTo(stepOf(line), plus(line.quantity, -0.001))

/** Decreases a line to the step before; at the first it is removed. Source: spec §4. */
export const decrease = (cart: Cart, key: string): Cart =>
  cart.flatMap((line) => {
    if (lineKey(line) !== key) return [line]
    const quantity = stepBefore(line)
    return quantity > 0 ? [{ ...line, quantity }] : []
  })

/**
 * Sets the quantity of a line: capped at what there is, parts of a step dropped, removed below one. NaN changes nothing.
 */
export function setQuantity(cart: Cart, key: string, quantity: number): Cart {
  if (Number.isNaN(quantity)) return cart
  return cart.flatMap((line) => {
    if (lineKey(line) !== key) return [line]
    const wanted = downTo(stepOf(line), Math.min(quantity, roomOf(cart, line)))
    return wanted > 0 ? [{ ...line, quantity: wanted }] : []
  })
}

/** The cart without what was ordered of it; what was added meanwhile stays. */
export const withoutOrdered = (
  cart: Cart,
  ordered: readonly { product_id: string; quantity: number; preparation?: PreparedKind | undefined }[],
): Cart =>
  cart.flatMap((line) => {
    const isLine = ({ product_id: _id, preparation }: (typeof ordered)[number]) =>
      _id === line._id && preparation === line.preparation
    const taken = ordered.find(isLine)?.quantity ?? 0
    return line.quantity > taken ? [{ ...line, quantity: plus(line.quantity, -taken) }] : []
  })

/** Removes a line. Source: spec §4. */
export const removeFromCart = (cart: Cart, key: string): Cart => cart.filter((line) => lineKey(line) !== key)

/**
 * Restores removed lines, each after the lines that preceded it, and changes nothing else: later additions, changes and
 * removals stay, a line that was added again meanwhile is left unchanged, and what others of its product took of the
 * stock since is theirs.
 * @param before the cart before the removal @param keys of the lines that were removed
 */
export function putBack(cart: Cart, before: Cart, keys: ReadonlySet<string>): Cart {
  const lines = [...cart]
  const placeOf = (key: string): number => lines.findIndex((line) => lineKey(line) === key)
  for (const [i, line] of before.entries()) {
    const key = lineKey(line)
    const quantity = Math.min(line.quantity, roomOf(lines, line))
    if (!keys.has(key) || placeOf(key) >= 0 || quantity <= 0) continue
    const earlier = before.slice(0, i).findLast((one) => placeOf(lineKey(one)) >= 0)
    lines.splice(earlier ? placeOf(lineKey(earlier)) + 1 : 0, 0, { ...line, quantity })
  }
  return lines
}
