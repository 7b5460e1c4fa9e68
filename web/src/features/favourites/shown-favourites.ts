import type { KeptFavourites } from '@befaqt/domain/favourites'
import { useSyncExternalStore } from 'react'

/** Where a browser keeps them. */
export const FAVOURITES_KEY = 'befaqt.favourites'

type FavouritesState = KeptFavourites & {
  /** False until the browser's storage was read. */
  ready: boolean
  /** What went wrong with the last change, to be shown; '' for nothing. */
  problem: string
}

const NOTHING: FavouritesState = { isAccount: false, items: [], ready: false, problem: '' }

/** What a tab shows of favourites. What changes it is another file, which is fetched by who has or wants any. */
export function newShown() {
  let state = NOTHING
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set: (part: Partial<FavouritesState>): void => {
      state = { ...state, ...part }
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** What this page shows of them. */
export const shown = newShown()

/** They as they are now, in step with other tabs; none on the server and until storage was read. */
export const useFavourites = (): FavouritesState =>
  useSyncExternalStore(shown.subscribe, shown.get, () => NOTHING)

/** Is this product among them? Shown anew only when that changes. */
export const useIsFavourite = (id: string): boolean =>
  useSyncExternalStore(
    shown.subscribe,
    () => shown.get().items.some(({ _id }) => _id === id),
    () => false,
  )
