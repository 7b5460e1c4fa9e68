import type { ComponentType } from 'react'
import { matchRoutes } from 'react-router'
import { isManagePage, loadManageData } from './loaders/loaders.ts'
import { type RouteName, routes } from './routes.ts'

/** What a file under routes/ exports. What it fetches is in loaders/, so that both are fetched at once. */
type Screen = { default: ComponentType; ErrorBoundary?: ComponentType }

const screens = import.meta.glob<Screen>('./routes/*.tsx')

/** Source file of the route with this name, as the client build's manifest names it. */
export const screenFile = (name: string): string => `src/routes/${name}.tsx`

/** Fetches the screen of a page; with the first of managers, what their pages fetch. */
export function loadScreen(name: RouteName): Promise<Screen> {
  const load = screens[`./routes/${name}.tsx`]
  if (!load) throw new Error(`routes.ts names routes/${name}.tsx, which does not exist`)
  if (isManagePage(name)) loadManageData().catch(() => undefined) // its loader says so
  return load()
}

const paths = routes.map(([path, id]) => ({ path, id }))
const asked = new Set<string>()

/** Fetches the screen of the page at this path, which the visitor is about to go to. */
export function preloadScreen(pathname: string): void {
  const name = matchRoutes(paths, pathname)?.[0]?.route.id
  if (!name || asked.has(name)) return
  asked.add(name)
  loadScreen(name).catch(() => asked.delete(name)) // the visit itself says so
}
