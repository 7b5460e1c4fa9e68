import type { Cart } from '@befaqt/domain/cart'
import { readCart, writeCart } from '@befaqt/domain/cart'
import type { CartChange } from '@befaqt/domain/cart-reconcile'
import { useSyncExternalStore } from 'react'

/** Where the cart is kept in the browser, and where a value is quarantined that is not ours to read. */
export const CART_KEY = 'befaqt.cart'
export const QUARANTINE_KEY = 'befaqt.cart.aside'

type CartState = {
  lines: Cart
  /** False until the browser's storage was read. */
  ready: boolean
  /** What changed since last time, to be shown to the shopper. */
  changes: readonly CartChange[]
  /** A stored value could not be read, as a whole or in part, and was quarantined. */
  corrupted: 'whole' | 'part' | null
  /** The browser keeps nothing (forbidden or full): the cart lives as long as the page. */
  storageUnavailable: boolean
}

type StorageLike = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const EMPTY_STATE: CartState = {
  lines: [],
  ready: false,
  changes: [],
  corrupted: null,
  storageUnavailable: false,
}

/** The cart of one tab on top of the storage that all tabs share. */
type CartStore = {
  get: () => CartState
  subscribe: (listener: () => void) => () => void
  /** Reads what is stored; called at the start and when another tab wrote. */
  load: () => void
  /** Changes what is stored now, not what this tab last saw, so that tabs don't undo each other. */
  change: (step: (cart: Cart) => Cart) => void
  /** Brings the cart in line with what is on sale; the changes are kept, to be shown. */
  reconcile: (step: (cart: Cart) => Pick<CartState, 'lines' | 'changes'>) => void
  /** The shopper has read what changed. */
  dismiss: () => void
}

/** @param storage the browser's storage; it may throw where the browser forbids it */
export function createCartStore(storage: () => StorageLike): CartStore {
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
      state = { ...state, storageUnavailable: true }
      return undefined
    }
  }

  const write = (lines: Cart) =>
    attempt(() =>
      lines.length === 0 ? storage().removeItem(CART_KEY) : storage().setItem(CART_KEY, writeCart(lines)),
    )

  const stored = (): Cart => {
    const text = state.storageUnavailable ? undefined : attempt(() => storage().getItem(CART_KEY))
    if (text === undefined) return state.lines
    const { cart, setAside } = readCart(text)
    if (setAside !== null) {
      attempt(() => storage().setItem(QUARANTINE_KEY, setAside))
      write(cart)
      state = { ...state, corrupted: cart.length === 0 ? 'whole' : 'part' }
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
      const before = stored()
      const { lines, changes } = step(before)
      // The storage of a browser is shared late: a tab that writes what is as it was may put back what another removed.
      if (writeCart(lines) !== writeCart(before)) write(lines)
      set({ lines, changes: [...state.changes, ...changes], ready: true })
    },
    dismiss: () => set({ changes: [], corrupted: null }),
  }
}

/** The cart of this browser. */
export const cart = createCartStore(() => window.localStorage)

/** The cart as it is now, in step with other tabs; not ready on the server and until storage was read. */
export const useCart = (): CartState => useSyncExternalStore(cart.subscribe, cart.get, () => EMPTY_STATE)
