import type { LoaderFunctionArgs } from 'react-router'
import { type RouteName, routes } from '#web/routes.ts'
import { accountData } from './account-loaders.ts'
import { type RouteData, shopData } from './shop-loaders.ts'

/** Fetches what the pages of managers fetch, which other visitors have no use for: it comes with their first screen. */
export const loadManageData = () => import('./manage-loaders.ts')

type ManagePage = keyof Awaited<ReturnType<typeof loadManageData>>['manageData']

/** Whether a page is one of managers. */
export const isManagePage = (name: string): name is ManagePage => /^manage\b/.test(name)

const manageData: Partial<Record<RouteName, RouteData>> = {}
for (const [, name] of routes)
  if (isManagePage(name))
    manageData[name] = {
      loader: async (asked: LoaderFunctionArgs) => (await loadManageData()).manageData[name].loader(asked),
    }

/**
 * What each page fetches, by the name of its route. That of visitors is in the first script, so that a click fetches the
 * data of a page beside its screen, not after it.
 */
export const routeData: Partial<Record<RouteName, RouteData>> = { ...shopData, ...accountData, ...manageData }
