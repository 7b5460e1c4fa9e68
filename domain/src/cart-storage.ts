import type { Cart, CartLine } from './cart.ts'
import type { Status } from './status.ts'

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

const path = text(0, 500)
const statuses: readonly unknown[] = ['ACTIVE', 'INACTIVE', 'DISABLED'] satisfies Status[]

/** What each field of a stored line must be. By hand: the cart is on every page, a schema library is not. */
const fields: Record<keyof CartLine, Check> = {
  _id: text(1, 64),
  title: text(0, 200),
  imagePaths: (value) => Array.isArray(value) && value.length <= 50 && value.every(path),
  priceCents: whole(0, 10_000_000),
  includeGST: (value) => typeof value === 'boolean',
  unit: text(0, 50),
  shelfPos: text(0, 50),
  status: (value) => statuses.includes(value),
  description: text(0, 10_000),
  quantity: whole(1, 1_000_000),
  discount: whole(0, 100),
  stock: whole(0, 1_000_000),
}
const checks = Object.entries(fields)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isLine = (value: unknown): value is CartLine =>
  isRecord(value) &&
  Object.keys(value).length === checks.length &&
  checks.every(([name, fits]) => fits(value[name]))

const isFirst = (line: CartLine, at: number, lines: readonly CartLine[]): boolean =>
  lines.findIndex(({ _id }) => _id === line._id) === at

/** What a stored value holds; null for another version or what is no cart: not ours to guess at. */
function linesOf(stored: unknown): unknown[] | null {
  if (!isRecord(stored) || stored.v !== VERSION || !Array.isArray(stored.lines)) return null
  return stored.lines
}

/** The text to keep in the browser's storage. */
export const writeCart = (cart: Cart): string => JSON.stringify({ v: VERSION, lines: cart })

/**
 * The cart in a stored text: every line that can be read, the first of a product that stands twice. A text with
 * anything else in it comes back whole as `setAside`, for the caller to keep elsewhere; it is never thrown on. `null`
 * is an empty cart.
 */
export function readCart(stored: string | null): { cart: CartLine[]; setAside: string | null } {
  if (stored === null) return { cart: [], setAside: null }
  const lines = linesOf(jsonOf(stored))
  const cart = (lines ?? []).filter(isLine).filter(isFirst)
  return { cart, setAside: lines?.length === cart.length ? null : stored }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
