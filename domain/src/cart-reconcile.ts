import { type Cart, type CartLine, type CartProduct, lineKey } from './cart.ts'
import { isOffStep, lineOf, quantityOf } from './change-cart.ts'
import { unitsText } from './labelling.ts'
import { type Cents, formatDollars } from './money.ts'
import { nameOf, preparedTitle } from './preparation.ts'
import { inUnit, plus, stepOf } from './quantity.ts'
import type { PreparedKind } from './statuses.ts'

/** Why nothing of a product can be bought. */
export type Unavailable = 'gone' | 'out-of-stock' | 'not-on-sale'

/** Why nothing of this product can be bought; undefined: something can. */
export function unavailable(product: CartProduct | undefined): Unavailable | undefined {
  if (product === undefined || product.status !== 'ACTIVE') return 'gone'
  if (product.stock > 0) return undefined
  return product.saleStopped ? 'not-on-sale' : 'out-of-stock'
}

/** A change of a line since the cart was stored. Prices are of one unit before discount. */
export type CartChange = { productId: string; title: string } & (
  | { kind: 'dropped'; why: Unavailable }
  | { kind: 'capped'; from: number; to: number; unit: string }
  | { kind: 'step'; quantity: number; step: number; unit: string }
  | { kind: 'price'; from: Cents; to: Cents }
  | { kind: 'whole'; from: PreparedKind; to: Cents; unit: string }
  | { kind: 'discount'; from: number; to: number }
  /** `quantity`: what is in the cart, in the new unit. */
  | { kind: 'unit'; from: string; to: string; was: Cents; price: Cents; quantity: number }
)

/**
 * Updates a stored cart from the active products: missing and out-of-stock products are dropped, quantities capped at
 * stock, of which the lines of a product take one after the other, everything else refreshed; what is no longer prepared
 * as it was chosen becomes whole, with what of it is whole. A weight stays that weight in another unit. A quantity that the
 * product is not sold in any more stays, for its shopper to change.
 * `changes`: what the shopper must be told. Source: spec §4.
 * @param asked the products that were asked for; lines of others, which another tab added meanwhile, stay as they are
 */
export function reconcile(
  cart: Cart,
  active: readonly CartProduct[],
  asked: ReadonlySet<string>,
): { lines: CartLine[]; changes: CartChange[] } {
  const products = new Map(active.map((product) => [product._id, product]))
  const lines: CartLine[] = []
  const changes: CartChange[] = []
  for (const old of cart) {
    if (!asked.has(old._id)) {
      lines.push(old)
      continue
    }
    const product = products.get(old._id)
    const why = unavailable(product)
    if (product === undefined || why !== undefined) {
      changes.push({ ...of(old), kind: 'dropped', why: why ?? 'gone' })
      continue
    }
    const left = Math.max(0, plus(product.stock, -quantityOf(lines, product)))
    const line = lineOf(product, Math.min(inUnitOf(product, old), left), old.preparation)
    if (line.quantity > 0) addLine(lines, line)
    changes.push(...differences(old, line))
  }
  return { lines, changes }
}

/** What a line holds, in another unit. What can't be converted stays the same number, and its shopper is told. */
const inUnitOf = ({ unit }: { unit: string }, old: CartLine): number =>
  inUnit(old.quantity, old.unit, unit) ?? old.quantity

/** Adds a line, or what it is of to the one that is prepared like it. */
function addLine(lines: CartLine[], line: CartLine): void {
  const at = lines.findIndex((one) => lineKey(one) === lineKey(line))
  const quantity = plus(lines[at]?.quantity ?? 0, line.quantity)
  lines.splice(at < 0 ? lines.length : at, 1, { ...line, quantity })
}

const of = (line: CartLine): { productId: string; title: string } => ({
  productId: line._id,
  title: preparedTitle(line.title, line.preparation),
})

function differences(old: CartLine, now: CartLine): CartChange[] {
  const changes: CartChange[] = []
  const { quantity, unit } = now
  const from = inUnitOf(now, old)
  if (quantity === 0) return [{ ...of(old), kind: 'capped', from, to: 0, unit }]
  if (quantity !== from) changes.push({ ...of(now), kind: 'capped', from, to: quantity, unit })
  const [was, price] = [old.priceCents, now.priceCents]
  const gone = now.preparation ? undefined : old.preparation
  if (gone) changes.push({ ...of(now), kind: 'whole', from: gone, to: price, unit })
  if (unit !== old.unit)
    changes.push({ ...of(now), kind: 'unit', from: old.unit, to: unit, was, price, quantity })
  else if (!gone && price !== was) changes.push({ ...of(now), kind: 'price', from: was, to: price })
  if (now.discount !== old.discount)
    changes.push({ ...of(now), kind: 'discount', from: old.discount, to: now.discount })
  if (isOffStep(now) && !isOffStep(old))
    changes.push({ ...of(now), kind: 'step', quantity, step: stepOf(now), unit })
  return changes
}

/** A price as an order was refused with it: cents of one unit before discount, with its preparation. */
export type PriceNow = {
  product_id: string
  price: Cents
  discount: number
  unit: string
  /** Absent: it is whole. */
  preparation?: PreparedKind
  /** What was to be done to it, where it is whole since that is not offered any more. */
  was?: PreparedKind
}

/** Updates the prices of a cart to those with which an order was refused. As `reconcile`. */
export function repriced(
  cart: Cart,
  prices: readonly PriceNow[],
): { lines: CartLine[]; changes: CartChange[] } {
  const lines: CartLine[] = []
  const changes = cart.flatMap((old) => {
    const { preparation, ...rest } = old
    const now = prices.find(
      (one) => one.product_id === old._id && (one.preparation ?? one.was) === preparation,
    )
    if (now === undefined) {
      addLine(lines, old)
      return []
    }
    const { price, discount, unit } = now
    const quantity = inUnitOf(now, old)
    const stock = inUnit(old.stock, old.unit, unit) ?? old.stock
    const whole = { ...rest, priceCents: price, discount, unit, quantity, stock }
    const line = preparation && now.preparation ? { ...whole, preparation } : whole
    addLine(lines, line)
    return differences(old, line)
  })
  return { lines, changes }
}

/** Behind the name of a product. */
export const unavailableText: Readonly<Record<Unavailable, string>> = {
  gone: 'is no longer on sale',
  'out-of-stock': 'is out of stock',
  'not-on-sale': 'is not on sale just now',
}

/** A change as text for the shopper. */
export function cartChangeText(change: CartChange): string {
  const { title } = change
  switch (change.kind) {
    case 'dropped':
      return `${title} ${unavailableText[change.why]} and was taken out of your cart.`
    case 'capped':
      if (change.to === 0)
        return `${title} was taken out of your cart: all there is of it is in your cart otherwise prepared.`
      return `Only ${unitsText(change.to, change.unit)} left of ${title}: your ${unitsText(change.from, change.unit)} became ${unitsText(change.to, change.unit)}.`
    case 'price':
      return `The price of ${title} went from ${formatDollars(change.from)} to ${formatDollars(change.to)}.`
    case 'whole':
      return `${title} is no longer sold as “${nameOf(change.from)}”: in your cart it is whole now, at ${formatDollars(change.to)}/${change.unit}.`
    case 'discount':
      return `The discount on ${title} went from ${change.from}% to ${change.to}%.`
    case 'unit':
      return `${title} is now ${formatDollars(change.price)}/${change.to}, not ${formatDollars(change.was)}/${change.from}: you have ${unitsText(change.quantity, change.to)} in your cart.`
    case 'step':
      return `${title} is now sold in steps of ${unitsText(change.step, change.unit)}: please change your ${unitsText(change.quantity, change.unit)}.`
  }
}
