import type { Cart } from '@befaqt/domain/cart'
import type { CartChange } from '@befaqt/domain/cart-reconcile'
import { readCart, writeCart } from '@befaqt/domain/cart-storage'
import { useSyncExternalStore } from 'react'

/** Where the cart is kept in the browser, and where a value goes that is not ours to read. */
export const CART_KEY = 'befaqt.cart'
export const ASIDE_KEY = 'befaqt.cart.aside'

export type CartState = {
  lines: Cart
  /** False until the browser's storage was read. */
  ready: boolean
  /** What the shopper has to be told of what changed since last time. */
  changes: readonly CartChange[]
  /** A stored value could not be read, as a whole or in part, and was put aside. */
  damaged: 'whole' | 'part' | null
  /** The browser keeps nothing (forbidden or full): the cart lives as long as the page. */
  homeless: boolean
}

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export const EMPTY_STATE: CartState = {
  lines: [],
  ready: false,
  changes: [],
  damaged: null,
  homeless: false,
}

/** The cart of one tab on top of the storage that all tabs share. */
export type CartStore = {
  get: () => CartState
  subscribe: (listener: () => void) => () => void
  /** Reads what is stored; called at the start and when another tab wrote. */
  load: () => void
  /** Changes what is stored now, not what this tab last saw, so that tabs don't undo each other. */
  change: (step: (cart: Cart) => Cart) => void
  /** Brings the cart in line with what is on sale; what changed is kept to be told. */
  reconcile: (step: (cart: Cart) => Pick<CartState, 'lines' | 'changes'>) => void
  /** The shopper has read what changed. */
  dismiss: () => void
}

/** @param kept the browser's storage; it may throw where the browser forbids it */
export function createCartStore(kept: () => Kept): CartStore {
  let state = EMPTY_STATE
  const listeners = new Set<() => void>()

  const set = (part: Partial<CartState>) => {
    state = { ...state, ...part }
    for (const listener of listeners) listener()
  }

  const attempt = <Answer>(work: () => Answer): Answer | undefined => {
    try {
      return work()
    } catch {
      state = { ...state, homeless: true }
      return undefined
    }
  }

  const write = (lines: Cart) =>
    attempt(() =>
      lines.length === 0 ? kept().removeItem(CART_KEY) : kept().setItem(CART_KEY, writeCart(lines)),
    )

  const stored = (): Cart => {
    const text = state.homeless ? undefined : attempt(() => kept().getItem(CART_KEY))
    if (text === undefined) return state.lines
    const { cart, setAside } = readCart(text)
    if (setAside !== null) {
      attempt(() => kept().setItem(ASIDE_KEY, setAside))
      write(cart)
      state = { ...state, damaged: cart.length === 0 ? 'whole' : 'part' }
    }
    return cart
  }

  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    load: () => set({ lines: stored(), ready: true }),
    change: (step) => {
      const lines = step(stored())
      write(lines)
      set({ lines, ready: true })
    },
    reconcile: (step) => {
      const { lines, changes } = step(stored())
      write(lines)
      set({ lines, changes: [...state.changes, ...changes], ready: true })
    },
    dismiss: () => set({ changes: [], damaged: null }),
  }
}

/** The cart of this browser. */
export const cart = createCartStore(() => window.localStorage)

/** The cart as it is now, in step with other tabs; not ready on the server and until storage was read. */
export const useCart = (): CartState => useSyncExternalStore(cart.subscribe, cart.get, () => EMPTY_STATE)
