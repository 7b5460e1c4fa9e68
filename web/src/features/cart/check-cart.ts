import { readProductsByIds } from '@befaqt/domain/api/endpoints/shop'
import { reconcile } from '@befaqt/domain/cart-reconcile'
import type { ProductBox, ProductView } from '@befaqt/domain/catalogue'
import { MAX_CHOSEN_PRODUCTS } from '@befaqt/domain/limits'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { cart } from './cart-store.ts'

/**
 * `failure`: why it could not be compared, or null. By product, `ownLimits`: the most units of an order, 0: the shop's;
 * `boxes`: the box that its card shows, where it has one that something may be said of; `prepared`: itself, where it can
 * be prepared.
 */
export type Checked = {
  failure: string | null
  ownLimits: ReadonlyMap<string, number>
  boxes: ReadonlyMap<string, ProductBox>
  prepared: ReadonlyMap<string, ProductView>
}

const nothing = { ownLimits: new Map(), boxes: new Map(), prepared: new Map() }

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
      prepared: new Map(
        products.filter(({ preparations }) => preparations.length > 0).map((one) => [one._id, one]),
      ),
    }
  } catch (error) {
    return { failure: userMessage(error), ...nothing }
  }
}

/** What an id of ours can look like; a stored cart may have any. */
const ID = /^[\w-]{1,64}$/

/** Those of these products that are on sale, as they are now. As many calls as they need, one after the other. */
export async function onSaleNow(ids: Iterable<string>): Promise<ProductView[]> {
  const known = [...new Set(ids)].filter((id) => ID.test(id))
  const found: ProductView[] = []
  for (let at = 0; at < known.length; at += MAX_CHOSEN_PRODUCTS) {
    const part = known.slice(at, at + MAX_CHOSEN_PRODUCTS).join(',')
    found.push(...(await callApi(readProductsByIds, { query: { ids: part } })))
  }
  return found
}
