import type { ProductView } from './catalogue.ts'
import type { Status } from './fields.ts'
import { MAX_DOLLARS } from './limits.ts'
import type { Cents } from './money.ts'
import { isQuantity, kiloSteps } from './quantity.ts'
import { type PreparedKind, preparedKinds, statuses } from './statuses.ts'

/** A product in the cart, prepared in one way. Fields of spec §3, the price in cents; `stock` is the last known stock. */
export type CartLine = {
  _id: string
  title: string
  imagePaths: string[]
  /** Price of one unit before discount, with its preparation. */
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
  /** What is done to it; absent: it stays whole. */
  preparation?: PreparedKind
}

/** Lines in the order in which they were added, at most one for a product and what is done to it. Immutable. */
export type Cart = readonly CartLine[]

/** What tells a line from the others: its product, and what is done to it where it is not whole. */
export const lineKey = ({ _id, preparation }: Pick<CartLine, '_id' | 'preparation'>): string =>
  preparation ? `${_id} ${preparation}` : _id

/** What the cart needs of a product. */
export type CartProduct = Omit<CartLine, 'priceCents' | 'quantity' | 'preparation'> &
  Pick<ProductView, 'price' | 'saleStopped' | 'preparations'>

/** Maximum number of lines in a cart, enforced when one is added. */
export const MAX_CART_LINES = 500

/** What is shown instead of Add where there is stock but nothing of it may be sold: its boxes are recalled or off sale. */
export const NOT_ON_SALE = 'Not on sale just now'

/** Number of units in the cart, for its badge: a part of a kilogram counts as one. */
export const cartCount = (cart: Cart): number => cart.reduce((sum, line) => sum + Math.ceil(line.quantity), 0)

const VERSION = 1

type Check = (value: unknown) => boolean

const text =
  (min: number, max: number): Check =>
  (value) =>
    typeof value === 'string' && value.length >= min && value.length <= max

const whole =
  (min: number, max: number): Check =>
  (value) =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max

const oneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)

/** Validators of a stored line's fields. Hand-written: every page has the cart, but not the schema library. */
const fields: Record<keyof CartLine, Check> = {
  _id: (value) => text(1, 64)(value) && !/\p{Cs}/u.test(String(value)), // half a character can be in no link
  title: text(0, 200),
  imagePaths: (value) => Array.isArray(value) && value.length <= 50 && value.every(text(0, 500)),
  priceCents: whole(0, MAX_DOLLARS * 101), // with `MAX_FEE_DOLLARS`; in storage `price`, in dollars, as in the specification
  includeGST: oneOf([true, false]),
  unit: text(0, 50),
  shelfPos: text(0, 50),
  status: oneOf(statuses),
  description: text(0, 10_000),
  quantity: isQuantity,
  discount: whole(0, 100),
  stock: (value) => value === 0 || isQuantity(value),
  step: oneOf([undefined, ...kiloSteps]),
  preparation: oneOf([undefined, ...preparedKinds]),
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const isLine = (value: unknown): value is CartLine =>
  isRecord(value) &&
  Object.keys({ ...fields, ...value }).every(
    (name) => Object.hasOwn(fields, name) && fields[name as keyof CartLine](value[name]),
  )

const isFirst = (line: CartLine, at: number, lines: readonly CartLine[]): boolean =>
  lines.findIndex((other) => lineKey(other) === lineKey(line)) === at

/** The content of a stored value, in its order; null for another version, or if it is not a cart. */
function linesOf(stored: unknown): unknown[] | null {
  if (!isRecord(stored) || stored.v !== VERSION || !Array.isArray(stored.lines)) return null
  const lines = [...stored.lines]
  if (Array.isArray(stored.more)) for (const one of stored.more) lines.splice(one?.at, 0, one?.line)
  return lines
}

/**
 * The text for the browser's storage: the fields of spec §3, the price in dollars, and beside them the stock that was
 * known last. `more`: further lines of a product, with their places: a shop of before, which may be open in another tab,
 * has each product once, and would take a second line for damage and write the cart without it.
 */
export function writeCart(cart: Cart): string {
  const lines: { _id: string }[] = []
  const more: object[] = []
  for (const [at, { priceCents, ...rest }] of cart.entries()) {
    const line = { ...rest, price: priceCents / 100 }
    if (lines.some(({ _id }) => _id === line._id)) more.push({ at, line })
    else lines.push(line)
  }
  return JSON.stringify({ v: VERSION, lines, more: more.length > 0 ? more : undefined })
}

/** A stored line with its price in cents; those from before the price was kept in dollars have it already. */
function inCents(line: unknown): unknown {
  if (!isRecord(line) || !('price' in line)) return line
  const { price, ...rest } = line
  const isDollars = typeof price === 'number' && Math.abs(price * 100 - Math.round(price * 100)) < 1e-6
  return { ...rest, priceCents: isDollars ? Math.round(price * 100) : Number.NaN }
}

/**
 * The cart in a stored text: every valid line, the first if a product appears twice with the same preparation. A text with anything else in it is
 * returned whole as `setAside`, for the caller to quarantine; it never throws. `null` is an empty cart.
 */
export function readCart(stored: string | null): { cart: CartLine[]; setAside: string | null } {
  if (stored === null) return { cart: [], setAside: null }
  const lines = linesOf(jsonOf(stored))
  const cart = (lines ?? []).map(inCents).filter(isLine).filter(isFirst)
  return { cart, setAside: lines?.length === cart.length ? null : stored }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
