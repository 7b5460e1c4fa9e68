import { ShopError } from '@befaqt/domain/errors'
import type { ComponentType } from 'react'
import type { LoaderFunction, RouteObject, ShouldRevalidateFunction } from 'react-router'
import { PageError } from './features/shell/error-screen.tsx'
import * as root from './root.tsx'
import { routes } from './routes.ts'

/** What a file under routes/ exports. */
type RouteModule = {
  default: ComponentType
  loader?: LoaderFunction
  ErrorBoundary?: ComponentType
  shouldRevalidate?: ShouldRevalidateFunction
}

const modules = import.meta.glob<RouteModule>('./routes/*.tsx')

const fromModule = ({ default: Component, ...rest }: RouteModule) => ({ Component, ...rest })

/** The page's script could not be fetched: there is no connection, or the shop was updated meanwhile. */
function unreachable(cause: unknown): never {
  throw new ShopError('unavailable', 'This page could not be fetched. Check your connection and reload.', {
    cause,
  })
}

/** Source file of the route with this id, as the client build's manifest names it. */
export const routeFile = (id: string): string => `src/routes/${id}.tsx`

function routeObject([path, name]: (typeof routes)[number]): RouteObject {
  const load = modules[`./routes/${name}.tsx`]
  if (!load) throw new Error(`routes.ts names routes/${name}.tsx, which does not exist`)
  return { id: name, path, lazy: async () => fromModule(await load().catch(unreachable)) }
}

/** The router's routes; what a page needs is loaded when it is visited. A page that fails leaves the rest standing. */
export const routeObjects = (): RouteObject[] => [
  {
    id: 'root',
    ...fromModule(root),
    children: [{ id: 'page', ErrorBoundary: PageError, children: routes.map(routeObject) }],
  },
]

/** Loads what a route shows now, for whoever can't wait until it is visited. */
export async function resolveRoute(route: RouteObject): Promise<void> {
  if (typeof route.lazy !== 'function') return
  Object.assign(route, await route.lazy())
  delete route.lazy
}

/** Loads these routes and all below them. */
export async function resolveAll(list: readonly RouteObject[]): Promise<void> {
  for (const route of list) {
    await resolveRoute(route)
    await resolveAll(route.children ?? [])
  }
}
