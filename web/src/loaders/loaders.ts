import type { LoaderFunction, ShouldRevalidateFunction } from 'react-router'
import type { RouteName } from '#web/routes.ts'
import { accountData } from './account-loaders.ts'
import { manageData } from './manage-loaders.ts'
import { shopData } from './shop-loaders.ts'

/** What a page fetches, and when it does so again. */
export type RouteData = { loader: LoaderFunction; shouldRevalidate?: ShouldRevalidateFunction }

/**
 * What each page fetches, by the name of its route. All of it is in the first script, so that a click fetches the data of
 * a page beside its screen, not after it.
 */
export const routeData: Partial<Record<RouteName, RouteData>> = { ...shopData, ...accountData, ...manageData }
