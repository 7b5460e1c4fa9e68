import { readProductsOnSale } from '@befaqt/domain/api/endpoints/catalogue'
import { reconcile } from '@befaqt/domain/cart-reconcile'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import { cart } from './cart-store.ts'

/**
 * Compares a filled cart with what is on sale now.
 * @returns why it could not, or null
 */
export async function checkCart(): Promise<string | null> {
  if (cart.get().lines.length === 0) return null
  try {
    const products = await callApi(readProductsOnSale)
    cart.reconcile((lines) => reconcile(lines, products))
    return null
  } catch (error) {
    return userMessage(error)
  }
}
