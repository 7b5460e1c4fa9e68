import { addFavourites, listFavourites, removeFavourite } from '@befaqt/domain/api/endpoints/favourites'
import { ShopError } from '@befaqt/domain/errors'
import { type Favourite, NO_FAVOURITES, withFavourite, withoutFavourite } from '@befaqt/domain/favourites'
import { MAX_FAVOURITES } from '@befaqt/domain/limits'
import { callApi } from '#web/api/call-api.ts'
import { userMessage } from '#web/api/hydration.ts'
import type { FavouritesStore } from './favourites-store.ts'

/** Calls are made one after the other, so that the account hears of two presses in their order. */
let last: Promise<unknown> = Promise.resolve()

function inTurn<Made>(work: () => Promise<Made>): Promise<Made> {
  const made = last.then(work)
  last = made.catch(() => undefined)
  return made
}

const FULL = `Your account keeps ${MAX_FAVOURITES} favourites: the oldest of this device had no room.`

/**
 * Brings this browser's favourites in step with those of the account that is logged in: what a device kept before joins
 * them, once; from then on the browser has a copy, which adds nothing by itself. So what was removed elsewhere stays so.
 */
export function syncFavourites(store: FavouritesStore): Promise<void> {
  const isStill = stillLoggedIn()
  return inTurn(() => (store.get().isAccount ? readAgain(store, isStill) : join(store, isStill)))
}

/** How often this page heard that nobody is logged in any more. */
let departures = 0

/** An answer that comes after that is of somebody else, and is not stored. */
function stillLoggedIn(): () => boolean {
  const before = departures
  return () => before === departures
}

/** Nobody is logged in: what was copied of an account goes, what a device keeps stays. */
export function leaveAccount(store: FavouritesStore): void {
  departures += 1
  store.change((now) => (now.isAccount ? NO_FAVOURITES : now))
}

async function readAgain(store: FavouritesStore, isStill: () => boolean): Promise<void> {
  for (;;) {
    const before = store.get().items
    const { favourites } = await callApi(listFavourites)
    if (!isStill()) return
    if (store.get().items !== before) continue // pressed meanwhile: its own call comes next, and is not undone here
    store.change(() => ({ isAccount: true, items: favourites }))
    return
  }
}

/** What is pressed while the account is asked is asked for as well, before the list becomes the account's. */
async function join(store: FavouritesStore, isStill: () => boolean): Promise<void> {
  let sent: readonly Favourite[] = []
  for (;;) {
    const now = store.get().items
    const gone = sent.filter(({ _id }) => !now.some((one) => one._id === _id))
    for (const { _id } of gone) await callApi(removeFavourite, { params: { id: _id } })
    const { favourites, leftOut } = await callApi(addFavourites, {
      body: { products: now.map(({ _id }) => _id) },
    })
    if (!isStill()) return
    sent = now
    if (store.get().items !== now) continue
    store.change(() => ({ isAccount: true, items: favourites }))
    return leftOut > 0 ? store.say(FULL) : undefined
  }
}

/** Changes that the account has not answered yet. */
let pending = 0

/** Tells the account of one change that is shown already. Where that fails, it is taken back, and said. */
export function tellAccount(store: FavouritesStore, favourite: Favourite, isKept: boolean): Promise<void> {
  const show = (isIn: boolean) =>
    store.change(({ isAccount, items }) => ({
      isAccount,
      items: isIn ? withFavourite(items, favourite) : withoutFavourite(items, favourite._id),
    }))
  pending += 1
  const isStill = stillLoggedIn()
  return inTurn(async () => {
    try {
      await tell(favourite, isKept)
      if (pending === 1 && isStill()) show(isKept) // another tab may have read the account just before it heard of this
    } catch (error) {
      if (isStill()) show(!isKept)
      store.say(userMessage(error))
    } finally {
      pending -= 1
    }
  })
}

async function tell({ _id }: Favourite, isKept: boolean): Promise<void> {
  if (!isKept) return callApi(removeFavourite, { params: { id: _id } })
  const { leftOut } = await callApi(addFavourites, { body: { products: [_id] } })
  if (leftOut > 0)
    throw new ShopError('conflict', `Your account keeps ${MAX_FAVOURITES} favourites. Take one out first.`)
}
