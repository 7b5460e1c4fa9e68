import { readProduct } from '@befaqt/domain/api/endpoints/catalogue'
import { addToCart, NOT_ON_SALE } from '@befaqt/domain/change-cart'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { addedText } from './added-text.ts'
import { cart } from './cart-store.ts'

const quantityOf = (id: string): number => cart.get().lines.find(({ _id }) => _id === id)?.quantity ?? 0

/** Adds one unit of a product as it is on sale now, by the rules of its page. Returns the message to show. */
export async function addOne(id: string): Promise<string> {
  try {
    const product = await callApi(readProduct, { params: { id } })
    if (product.stock < 1) return product.saleStopped ? `${NOT_ON_SALE}.` : 'Out of stock now.'
    const before = quantityOf(id)
    cart.change((now) => addToCart(now, product))
    return addedText(before, quantityOf(id), 1, product.stock)
  } catch (error) {
    return userMessage(error)
  }
}
