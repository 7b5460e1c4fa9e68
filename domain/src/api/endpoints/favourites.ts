import type { FavouriteIds, FavouriteList } from '../account-api.ts'
import { endpoint, types } from '../endpoint.ts'

export const listFavourites = endpoint('GET', '/api/user/favourites', types<{ response: FavouriteList }>)
export const addFavourites = endpoint(
  'POST',
  '/api/user/favourites',
  types<{ body: FavouriteIds; response: FavouriteList }>,
)
export const removeFavourite = endpoint('DELETE', '/api/user/favourites/:id')
