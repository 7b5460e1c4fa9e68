import {
  type Favourite,
  type KeptFavourites,
  readFavourites,
  withFavourite,
  withoutFavourite,
  writeFavourites,
} from '@befaqt/domain/favourites'
import { MAX_FAVOURITES } from '@befaqt/domain/limits'
import { FAVOURITES_KEY, newShown, shown } from './shown-favourites.ts'

const FULL = `Your list has ${MAX_FAVOURITES} favourites: that is all it holds. Take one out first.`

/**
 * The favourites of one tab on top of the storage that all tabs share: of this device, or a copy of an account's.
 * @param storage the browser's storage; it may throw where the browser forbids it: then they live as long as the page
 * @param view where they are shown
 */
export function createFavourites(
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>,
  view = newShown(),
) {
  const stored = (): KeptFavourites => {
    try {
      return readFavourites(storage().getItem(FAVOURITES_KEY))
    } catch {
      return view.get()
    }
  }

  /** What is the same stays the same object, so that nothing is drawn, or asked for, again. */
  const show = (kept: KeptFavourites): void =>
    view.set(
      writeFavourites(kept) === writeFavourites(view.get())
        ? { ready: true }
        : { isAccount: kept.isAccount, items: kept.items, ready: true },
    )

  /**
   * Writes only what changed: a tab that writes what is as it was may put back what another took out.
   * @returns whether anything did
   */
  function change(step: (now: KeptFavourites) => KeptFavourites): boolean {
    const before = stored()
    const after = step(before)
    const text = writeFavourites(after)
    const isChanged = text !== writeFavourites(before)
    if (isChanged)
      try {
        if (text === null) storage().removeItem(FAVOURITES_KEY)
        else storage().setItem(FAVOURITES_KEY, text)
      } catch {
        // Full or forbidden: the page has them all the same.
      }
    show(after)
    return isChanged
  }

  return {
    get: view.get,
    subscribe: view.subscribe,
    /** Reads what is stored; called at the start and when another tab wrote. */
    load: () => show(stored()),
    change,
    /** Keeps a product, or keeps it no longer. @returns whether that changed anything */
    keep: (favourite: Favourite, isKept: boolean): boolean => {
      const isChanged = change(({ isAccount, items }) => ({
        isAccount,
        items: isKept ? withFavourite(items, favourite) : withoutFavourite(items, favourite._id),
      }))
      const isFull = isKept && !view.get().items.some(({ _id }) => _id === favourite._id)
      view.set({ problem: isFull ? FULL : '' })
      return isChanged
    },
    /** Says what went wrong, or with '' that it was read. */
    say: (problem: string) => view.set({ problem }),
  }
}

export type FavouritesStore = ReturnType<typeof createFavourites>

/** The favourites of this browser. */
export const favourites = createFavourites(() => window.localStorage, shown)
