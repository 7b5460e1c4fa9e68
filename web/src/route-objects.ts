import { ShopError } from '@befaqt/domain/errors'
import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import { PageError } from './features/shell/error-screen.tsx'
import { routeData } from './loaders/loaders.ts'
import * as root from './root.tsx'
import { loadScreen } from './route-screens.ts'
import { type RouteName, routes } from './routes.ts'

const fromModule = <Module extends { default: ComponentType }>({ default: Component, ...rest }: Module) => ({
  Component,
  ...rest,
})

/** The page's script could not be fetched. */
function unreachable(cause: unknown): never {
  throw new ShopError('unavailable', 'This page could not be fetched. Check your connection and reload.', {
    cause,
  })
}

/** What a page does whose script could not be fetched: perhaps goes there by itself, and then never answers. */
type OnMissing = (cause: unknown) => Promise<void>

const routeObject =
  (onMissing: OnMissing | undefined) =>
  ([path, name]: readonly [path: string, name: RouteName]): RouteObject => ({
    id: name,
    path,
    ...routeData[name],
    lazy: async () => {
      const load = async () => fromModule(await loadScreen(name))
      return load().catch(async (cause) => {
        await onMissing?.(cause)
        return unreachable(cause)
      })
    },
  })

/**
 * The router's routes. The screen of a page is loaded when it is visited, beside its data. A page that fails leaves the
 * rest standing.
 */
export const routeObjects = (onMissing?: OnMissing): RouteObject[] => [
  {
    id: 'root',
    ...fromModule(root),
    children: [{ id: 'page', ErrorBoundary: PageError, children: routes.map(routeObject(onMissing)) }],
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
