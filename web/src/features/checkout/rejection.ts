import type { SlotView } from '@befaqt/domain/api/order-api'
import type { PriceNow } from '@befaqt/domain/cart-reconcile'
import { ShopError } from '@befaqt/domain/errors'
import type { Cents } from '@befaqt/domain/money'
import type { PreparedKind } from '@befaqt/domain/statuses'
import { answeredStatus } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'

/**
 * A line that falls short: how many were wanted, how many are left for this shopper, `together`: for all lines of its
 * product, where there are several, and why these are fewer than the
 * stock: 'line', one order takes no more; 'network', its open checkouts and unconfirmed orders have their share; 'step',
 * it is not sold in this amount.
 */
export type ShortLine = {
  product_id: string
  preparation?: PreparedKind
  wanted: number
  left: number
  together?: number
  why?: 'line' | 'network' | 'step'
}

/** Why a hold or an order was not made, as the checkout shows it. */
export type Rejection =
  | { why: 'stock'; lines: readonly ShortLine[] }
  /** `total`: null where it is sold by another unit, and may be another amount. `fee`: of its delivery; null: it is in no area. */
  | { why: 'price'; total: Cents | null; fee: Cents | null; prices: readonly PriceNow[] }
  | { why: 'slot'; message: string; slots: readonly SlotView[] }
  | { why: 'logged-out' }
  /** The key was used for another order: what became of that one is not known here. */
  | { why: 'differs' }
  /** No answer that says whether the order was placed. `answered`: something did answer. */
  | { why: 'unknown'; message: string; answered: boolean }
  | { why: 'refused'; message: string }

/** What a failed call means for the checkout. The shop's own answers have these details: `domain/src/errors.ts`. */
export function rejectionOf(error: unknown): Rejection {
  if (!(error instanceof ShopError)) return { why: 'unknown', message: userMessage(error), answered: false }
  const { code, message, details } = error
  switch (code) {
    case 'stock.insufficient':
      return { why: 'stock', lines: listOf<ShortLine>(details.lines) }
    case 'price.changed':
      return {
        why: 'price',
        total: typeof details.total === 'number' ? (details.total as Cents) : null,
        fee: typeof details.delivery === 'number' ? (details.delivery as Cents) : null,
        prices: listOf<PriceNow>(details.lines),
      }
    case 'slot.unavailable':
      return { why: 'slot', message, slots: listOf<SlotView>(details.slots) }
    case 'auth.required':
      return { why: 'logged-out' }
    case 'idempotency.differs':
      return { why: 'differs' }
    case 'idempotency.running':
    case 'unavailable':
      return { why: 'unknown', message, answered: answeredStatus(error) !== null }
    default:
      return { why: 'refused', message }
  }
}

const listOf = <Item>(value: unknown): Item[] => (Array.isArray(value) ? value : [])

/** Seconds after which a request that is still being worked on may be sent again; null: it is not. */
export function retryAfter(error: unknown): number | null {
  if (!(error instanceof ShopError) || error.code !== 'idempotency.running') return null
  const { retryAfterS } = error.details
  return typeof retryAfterS === 'number' ? retryAfterS : 1
}

/** An error of fields as the form names them: 'email' of 'contact.email'. */
export function ofForm(error: ShopError): ShopError {
  const fields = error.fields.map(({ path, message }) => ({ path: path.split('.').at(-1) ?? path, message }))
  return new ShopError(error.code, error.message, { fields, details: error.details })
}
