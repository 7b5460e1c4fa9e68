import { reconcile } from '@befaqt/domain/cart-reconcile'
import type { ProductBox } from '@befaqt/domain/catalogue'
import { userMessage } from '#web/api/hydration.ts'
import { cart } from './cart-store.ts'
import { onSaleNow } from './on-sale.ts'

/**
 * `failure`: why it could not be compared, or null. By product, `ownLimits`: the most units of an order, 0: the shop's;
 * `boxes`: the box that its card shows, where it has one that something may be said of.
 */
export type Checked = {
  failure: string | null
  ownLimits: ReadonlyMap<string, number>
  boxes: ReadonlyMap<string, ProductBox>
}

const nothing = { ownLimits: new Map(), boxes: new Map() }

/**
 * Compares a filled cart with what is on sale now.
 * @param isKept the cart stays as it is: only what is said of its fish is asked for
 */
export async function checkCart(isKept = false): Promise<Checked> {
  const asked = new Set(cart.get().lines.map(({ _id }) => _id))
  if (asked.size === 0) return { failure: null, ...nothing }
  try {
    const products = await onSaleNow(asked)
    if (!isKept) cart.reconcile((now) => reconcile(now, products, asked))
    return {
      failure: null,
      ownLimits: new Map(products.map(({ _id, orderLimit }) => [_id, orderLimit])),
      boxes: new Map(products.flatMap(({ _id, box }) => (box ? [[_id, box]] : []))),
    }
  } catch (error) {
    return { failure: userMessage(error), ...nothing }
  }
}
