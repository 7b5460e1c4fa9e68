import type { ProductView } from './catalogue.ts'
import type { Cents } from './money.ts'
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
  /** Units; by the kilogram in steps (`stepOf`). */
  quantity: number
  /** Percent, 0 to 100. */
  discount: number
  stock: number
  /** The product's own step by the kilogram; absent: the usual one. */
  step?: number
}

/** Lines in the order in which they were added, at most one per product. Immutable. */
export type Cart = readonly CartLine[]

/** What the cart needs of a product. */
export type CartProduct = Omit<CartLine, 'priceCents' | 'quantity'> &
  Pick<ProductView, 'price' | 'saleStopped'>

/** Maximum number of different products in a cart, enforced when one is added. */
export const MAX_CART_LINES = 500

/** What is shown instead of Add where there is stock but nothing of it may be sold: its boxes are recalled or off sale. */
export const NOT_ON_SALE = 'Not on sale just now'

/** Number of units in the cart, for its badge: a part of a kilogram counts as one. */
export const cartCount = (cart: Cart): number => cart.reduce((sum, line) => sum + Math.ceil(line.quantity), 0)
