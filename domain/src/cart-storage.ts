import type { Cart, CartLine } from './cart.ts'
import type { Status } from './status.ts'

const VERSION = 1
/** More lines than anybody fills a cart with; keeps a foreign value from blocking the page. */
const MOST_LINES = 500

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

const sameProductTwice = (lines: readonly CartLine[]): boolean =>
  new Set(lines.map((line) => line._id)).size < lines.length

/** The lines of a stored value; null for another version, or anything that does not fit: not ours to guess at. */
function linesOf(stored: unknown): CartLine[] | null {
  if (!isRecord(stored) || stored.v !== VERSION || Object.keys(stored).length !== 2) return null
  const { lines } = stored
  if (!Array.isArray(lines) || lines.length > MOST_LINES || !lines.every(isLine)) return null
  return sameProductTwice(lines) ? null : lines
}

/** The text to keep in the browser's storage. */
export const writeCart = (cart: Cart): string => JSON.stringify({ v: VERSION, lines: cart })

/**
 * The cart in a stored text. A damaged or foreign text gives an empty cart and comes back whole as `setAside`,
 * for the caller to keep elsewhere; it is never thrown on. `null` is an empty cart.
 */
export function readCart(stored: string | null): { cart: CartLine[]; setAside: string | null } {
  if (stored === null) return { cart: [], setAside: null }
  const lines = linesOf(jsonOf(stored))
  return lines ? { cart: lines, setAside: null } : { cart: [], setAside: stored }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
