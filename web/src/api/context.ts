import type { ShopApi } from '@befaqt/domain/api/shop-api'
import { createContext } from 'react-router'

/** Where loaders find the shop: `context.get(shopApi)`. In process on the server, by fetch in the browser. */
export const shopApi = createContext<ShopApi>()

/** Where a loader reports what failed although its page is shown without it. The server logs it. */
export const reportFailure = createContext<(error: unknown) => void>(() => undefined)
