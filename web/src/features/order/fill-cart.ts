import { readProductsOnSale } from '@befaqt/domain/api/endpoints/catalogue'
import type { OrderView } from '@befaqt/domain/api/order-api'
import { buyAgain, notAgainText } from '@befaqt/domain/buy-again'
import { callApi } from '#web/api/call-api.ts'
import { cart } from '#web/features/cart/cart-store.ts'

/** Puts the lines of an order into the cart, as far as they are on sale. Returns what there is not, in words. */
export async function fillCart(lines: OrderView['lines']): Promise<string[]> {
  const onSale = await callApi(readProductsOnSale)
  let missed: string[] = []
  cart.change((now) => {
    const again = buyAgain(now, lines, onSale)
    missed = again.missed.map(notAgainText)
    return again.cart
  })
  return missed
}
