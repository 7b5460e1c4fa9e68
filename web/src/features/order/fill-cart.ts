import type { OrderView } from '@befaqt/domain/api/order-api'
import { buyAgain, notAgainText } from '@befaqt/domain/buy-again'
import { cart } from '#web/features/cart/cart-store.ts'
import { onSaleNow } from '#web/features/cart/on-sale.ts'

/** Puts the lines of an order into the cart, as far as they are on sale. Returns what there is not, in words. */
export async function fillCart(lines: OrderView['lines']): Promise<string[]> {
  const onSale = await onSaleNow(lines.map(({ product_id }) => product_id))
  let missed: string[] = []
  cart.change((now) => {
    const again = buyAgain(now, lines, onSale)
    missed = again.missed.map(notAgainText)
    return again.cart
  })
  return missed
}
