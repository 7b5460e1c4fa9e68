import { readProductsOnSale } from '@befaqt/domain/api/endpoints/catalogue'
import { reconcile } from '@befaqt/domain/cart-reconcile'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { cart } from './cart-store.ts'

/** `failure`: why it could not be compared, or null. `ownLimits`: the most units of an order by product; 0: the shop's. */
export type Checked = { failure: string | null; ownLimits: ReadonlyMap<string, number> }

/** Compares a filled cart with what is on sale now. */
export async function checkCart(): Promise<Checked> {
  const { lines } = cart.get()
  if (lines.length === 0) return { failure: null, ownLimits: new Map() }
  try {
    const products = await callApi(readProductsOnSale)
    cart.reconcile((now) => reconcile(now, products))
    return { failure: null, ownLimits: new Map(products.map(({ _id, orderLimit }) => [_id, orderLimit])) }
  } catch (error) {
    return { failure: userMessage(error), ownLimits: new Map() }
  }
}
