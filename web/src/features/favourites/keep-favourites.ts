import type { Favourite } from '@befaqt/domain/favourites'
import { leaveAccount, syncFavourites, tellAccount } from './account-favourites.ts'
import { favourites } from './favourites-store.ts'

/** Keeps a product or keeps it no longer: shown at once, and told to the account where one is logged in. */
export function keepFavourite({ _id, title }: Favourite, isKept: boolean): void {
  if (favourites.keep({ _id, title }, isKept) && favourites.get().isAccount)
    void tellAccount(favourites, { _id, title }, isKept)
}

/** Shows what is stored, which another tab may have changed. */
export const readStored = (): void => favourites.load()

/**
 * Brings what is stored in step with who is logged in: what was copied of an account is nobody's once nobody is. Without a
 * connection it stays as it is, and the next page, or the next look at this one, tries again.
 */
export async function bringInStep(isSignedIn: boolean): Promise<void> {
  if (isSignedIn) {
    favourites.load()
    return syncFavourites(favourites).catch(() => undefined)
  }
  leaveAccount(favourites)
}
