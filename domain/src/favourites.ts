import { MAX_FAVOURITES } from './limits.ts'

/** A product that somebody keeps, under the name that it had then: it may be sold no more. */
export type Favourite = { _id: string; title: string }

/** What a browser keeps, the newest first. `isAccount`: a copy of what is kept with an account. */
export type KeptFavourites = { isAccount: boolean; items: readonly Favourite[] }

export const NO_FAVOURITES: KeptFavourites = { isAccount: false, items: [] }

const isFavourite = ({ _id, title }: { [key in keyof Favourite]?: unknown }): boolean =>
  typeof _id === 'string' && /^.{1,64}$/.test(_id) && typeof title === 'string' && /^.{1,200}$/.test(title)

/** The text for the browser's storage; null: nothing is to be kept. */
export const writeFavourites = ({ isAccount, items }: KeptFavourites): string | null =>
  items.length === 0 && !isAccount ? null : JSON.stringify({ isAccount, items })

/** What a stored text has of favourites, each once. Never throws: what is none is left out. */
export function readFavourites(text: string | null): KeptFavourites {
  try {
    const { isAccount, items } = JSON.parse(text ?? '')
    const found = new Map<string, Favourite>()
    for (const one of items)
      if (isFavourite({ ...one }) && !found.has(one._id) && found.size < MAX_FAVOURITES)
        found.set(one._id, { _id: one._id, title: one.title })
    return { isAccount: isAccount === true, items: [...found.values()] }
  } catch {
    return NO_FAVOURITES
  }
}

/** With one more at the front. One that is there keeps its place; a full list stays as it is. */
export const withFavourite = (items: readonly Favourite[], added: Favourite): readonly Favourite[] =>
  items.length >= MAX_FAVOURITES || items.some(({ _id }) => _id === added._id) ? items : [added, ...items]

export const withoutFavourite = (items: readonly Favourite[], id: string): readonly Favourite[] =>
  items.some(({ _id }) => _id === id) ? items.filter(({ _id }) => _id !== id) : items
