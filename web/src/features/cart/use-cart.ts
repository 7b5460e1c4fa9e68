import { useSyncExternalStore } from 'react'
import { type CartState, createCartStore, EMPTY_STATE } from './cart-store.ts'

/** The cart of this browser. */
export const cart = createCartStore(() => window.localStorage)

/** The cart as it is now, in step with other tabs; not ready on the server and until storage was read. */
export const useCart = (): CartState => useSyncExternalStore(cart.subscribe, cart.get, () => EMPTY_STATE)
