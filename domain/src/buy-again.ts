import { type Cart, type CartProduct, lineKey } from './cart.ts'
import { type Unavailable, unavailable, unavailableText } from './cart-reconcile.ts'
import { addToCart, isCartFull, lineOf, quantityOf } from './change-cart.ts'
import { unitsText } from './labelling.ts'
import { type Preparation, preparations } from './preparation.ts'
import { downTo, inUnit, plus, stepOf } from './quantity.ts'
import type { PreparedKind } from './statuses.ts'

/** The lines of an earlier order that could not go into the cart as ordered. */
export type NotAgain = { title: string } & (
  | { why: Unavailable | 'cart-full' }
  /** What was ordered is in the cart prepared as `is` and not as `was`, which is not offered. */
  | { why: 'preparation'; was: string; is: string }
  | { why: 'fewer' | 'step'; wanted: number; added: number; unit: string }
  /** How much of it is wanted in what it is sold by now nobody knows. */
  | { why: 'unit'; from: string; to: string }
)

/**
 * Adds the lines of an earlier order to the cart, as far as they are still on sale and in stock.
 * @param onSale the active products as they are now: prices are theirs, not those of the order
 */
export function buyAgain(
  cart: Cart,
  lines: readonly {
    product_id: string
    title: string
    unit: string
    quantity: number
    preparation?: Preparation | undefined
  }[],
  onSale: readonly CartProduct[],
): { cart: Cart; missed: NotAgain[] } {
  const missed: NotAgain[] = []
  let filled = cart
  for (const { product_id, title, unit: soldBy, quantity: ordered, preparation } of lines) {
    const product = onSale.find(({ _id }) => _id === product_id)
    const why = unavailable(product)
    if (product === undefined || why !== undefined) {
      missed.push({ title, why: why ?? 'gone' })
      continue
    }
    const { unit } = product
    const before = quantityOf(filled, product)
    const quantity = inUnit(ordered, soldBy, unit)
    if (quantity === null) {
      missed.push({ title, why: 'unit', from: soldBy, to: unit })
      continue
    }
    const whole = downTo(stepOf(product), quantity)
    const line = lineOf(product, whole, preparation?.kind)
    if (isCartFull(filled) && !filled.some((one) => lineKey(one) === lineKey(line))) {
      missed.push({ title, why: 'cart-full' })
      continue
    }
    filled = addToCart(filled, product, whole, preparation?.kind ?? 'whole')
    const added = plus(quantityOf(filled, product), -before)
    if (added < quantity)
      missed.push({ title, why: added < whole ? 'fewer' : 'step', wanted: quantity, added, unit })
    if (added > 0 && line.preparation !== preparation?.kind)
      missed.push({ title, why: 'preparation', was: wayOf(preparation?.kind), is: wayOf(line.preparation) })
  }
  return { cart: filled, missed }
}

const wayOf = (kind: PreparedKind | undefined): string => preparations[kind ?? 'whole'].name

/** As text for the shopper. */
export function notAgainText(missed: NotAgain): string {
  const { title } = missed
  switch (missed.why) {
    case 'cart-full':
      return `${title} did not fit: your cart is full.`
    case 'fewer':
      return missed.added === 0
        ? `All there is of ${title} is in your cart already.`
        : `Only ${unitsText(missed.added, missed.unit)} of ${unitsText(missed.wanted, missed.unit)} of ${title} could be added: that is all there is.`
    case 'unit':
      return `${title} is now sold per ${missed.to}, not per ${missed.from}: please choose how much you want.`
    case 'preparation':
      return `${title} is in your cart as “${missed.is}”, not as “${missed.was}”.`
    case 'step':
      return missed.added === 0
        ? `${title} is not sold as ${unitsText(missed.wanted, missed.unit)} any more.`
        : `Of your ${unitsText(missed.wanted, missed.unit)} of ${title}, ${unitsText(missed.added, missed.unit)} was added: it is sold in other steps now.`
    default:
      return `${title} ${unavailableText[missed.why]}.`
  }
}
