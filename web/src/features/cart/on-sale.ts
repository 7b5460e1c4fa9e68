import { readProductsByIds } from '@befaqt/domain/api/endpoints/shop'
import type { ProductView } from '@befaqt/domain/catalogue'
import { MAX_CHOSEN_PRODUCTS } from '@befaqt/domain/limits'
import { callApi } from '#web/api/call-api.ts'

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
