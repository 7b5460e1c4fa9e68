import type { RouteName } from '#web/routes.ts'
import { accountData } from './account-loaders.ts'
import { type RouteData, shopData } from './shop-loaders.ts'

/**
 * What each page of the shop fetches, by the name of its route. It is in the first script, so that a click fetches the
 * data of a page beside its screen, not after it.
 */
export const routeData: Partial<Record<RouteName, RouteData>> = { ...shopData, ...accountData }
