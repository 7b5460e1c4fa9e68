import { reconcile } from '@befaqt/domain/cart-reconcile'
import { userMessage } from '#web/api/hydration.ts'
import { cart } from './cart-store.ts'
import { onSaleNow } from './on-sale.ts'

/** `failure`: why it could not be compared, or null. `ownLimits`: the most units of an order by product; 0: the shop's. */
export type Checked = { failure: string | null; ownLimits: ReadonlyMap<string, number> }

/** Compares a filled cart with what is on sale now. */
export async function checkCart(): Promise<Checked> {
  const asked = new Set(cart.get().lines.map(({ _id }) => _id))
  if (asked.size === 0) return { failure: null, ownLimits: new Map() }
  try {
    const products = await onSaleNow(asked)
    cart.reconcile((now) => reconcile(now, products, asked))
    return { failure: null, ownLimits: new Map(products.map(({ _id, orderLimit }) => [_id, orderLimit])) }
  } catch (error) {
    return { failure: userMessage(error), ownLimits: new Map() }
  }
}
