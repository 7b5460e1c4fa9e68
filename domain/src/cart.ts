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
  quantity: number
  /** Percent, 0 to 100. */
  discount: number
  stock: number
}

/** Lines in the order in which they were added, at most one per product. Immutable. */
export type Cart = readonly CartLine[]

/** What the cart needs of a product. */
export type CartProduct = Omit<CartLine, 'priceCents' | 'quantity'> &
  Pick<ProductView, 'price' | 'saleStopped'>

/** Maximum number of different products in a cart, enforced when one is added. */
export const MAX_CART_LINES = 500

/** Number of units in the cart, for its badge. */
export const cartCount = (cart: Cart): number => cart.reduce((sum, line) => sum + line.quantity, 0)
