import type { ComponentType } from 'react'
import { matchRoutes } from 'react-router'
import { isDeskPath, routes } from './routes.ts'

/** What a file under routes/ exports. What it fetches is in loaders/, so that both are fetched at once. */
export type Screen = { default: ComponentType; ErrorBoundary?: ComponentType }

/** Source file of the route with this name, as the client build's manifest names it. */
export const screenFile = (name: string): string => `src/routes/${name}.tsx`

const shopScreens = import.meta.glob<Screen>([
  './routes/*.tsx',
  '!./routes/manage*.tsx',
  '!./routes/station.tsx',
])

/** Fetches the screen of a route. @param screens where it is looked for: among the shop's, or those of `desk` */
export function loadScreen(name: string, screens: Record<string, () => Promise<Screen>> = shopScreens) {
  const load = screens[`./routes/${name}.tsx`]
  if (!load) throw new Error(`There is no routes/${name}.tsx, which a list of routes names`)
  return load()
}

/** Fetches the routes of the desk, which the first script doesn't have. */
export const loadDesk = async () => (await import('./desk.ts')).desk

const named = (list: readonly (readonly [path: string, name: string])[]) =>
  list.map(([path, id]) => ({ path, id }))

const asked = new Set<string>()

/** Fetches the screen of the page at this path, which the visitor is about to go to. */
export async function preloadScreen(pathname: string): Promise<void> {
  const desk = isDeskPath(pathname) ? await loadDesk().catch(() => undefined) : undefined
  const name = matchRoutes(named(desk?.routes ?? routes), pathname)?.[0]?.route.id
  if (!name || asked.has(name)) return
  asked.add(name)
  loadScreen(name, desk?.screens).catch(() => asked.delete(name)) // the visit itself says so
}
