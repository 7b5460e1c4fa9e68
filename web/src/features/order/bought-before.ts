import { listOwnOrders, readOrder } from '@befaqt/domain/api/endpoints/orders'
import type { ProductCard } from '@befaqt/domain/catalogue'
import { callApi } from '#web/api/call-api.ts'
import { onSaleNow } from '#web/features/cart/check-cart.ts'

/** So many of the account's last orders are looked through. */
const LAST_ORDERS = 4

/**
 * What is on sale of what the account of whoever is signed in ordered last.
 * @param but an order whose products are not meant
 */
export async function boughtBefore(but: string): Promise<ProductCard[]> {
  const { rows } = await callApi(listOwnOrders, { query: { size: LAST_ORDERS } })
  const others = rows.filter(({ _id, status }) => _id !== but && status !== 'CANCELLED')
  const orders = await Promise.all(
    others.map(({ _id: id }) => callApi(readOrder, { params: { id }, query: {} })),
  )
  const ids = orders.flatMap(({ lines }) => lines.map(({ product_id }) => product_id))
  const products = await onSaleNow(ids)
  return products.map(({ images, ...product }) => ({ ...product, image: images[0] ?? null }))
}
