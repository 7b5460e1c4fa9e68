import { ShopError } from '@befaqt/domain/errors'
import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import { PageError } from './features/shell/error-screen.tsx'
import { routeData } from './loaders/loaders.ts'
import type { RouteData } from './loaders/shop-loaders.ts'
import * as root from './root.tsx'
import { loadDesk, loadScreen, type Screen } from './route-screens.ts'
import { routes } from './routes.ts'

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

const objectsOf = (
  list: readonly (readonly [path: string, name: string])[],
  data: Record<string, RouteData | undefined>,
  onMissing: OnMissing | undefined,
  screens?: Record<string, () => Promise<Screen>>,
): RouteObject[] =>
  list.map(([path, name]) => ({
    id: name,
    path,
    ...data[name],
    lazy: async () =>
      loadScreen(name, screens)
        .then(fromModule)
        .catch(async (cause) => {
          await onMissing?.(cause)
          return unreachable(cause)
        }),
  }))

const PAGE = 'page'

/**
 * The router's routes of the shop. The screen of a page is loaded when it is visited, beside its data. A page that fails
 * leaves the rest standing.
 */
export const routeObjects = (onMissing?: OnMissing): RouteObject[] => [
  {
    id: 'root',
    ...fromModule(root),
    children: [
      {
        id: PAGE,
        ErrorBoundary: PageError,
        children: objectsOf(routes, routeData, onMissing),
      },
    ],
  },
]

/** Adds the routes of the desk to the router's. @param patch adds routes below the one with that id */
export async function addDesk(
  patch: (id: string, children: RouteObject[]) => void,
  onMissing?: OnMissing,
): Promise<void> {
  const desk = await loadDesk().catch(async (cause) => {
    await onMissing?.(cause)
    return unreachable(cause)
  })
  patch(PAGE, objectsOf(desk.routes, desk.data, onMissing, desk.screens))
}

/** The router's routes with those of the desk among them, for whoever can't look for them later. */
export async function allRouteObjects(onMissing?: OnMissing): Promise<RouteObject[]> {
  const list = routeObjects(onMissing)
  await addDesk((_, children) => void list[0]?.children?.[0]?.children?.push(...children), onMissing)
  return list
}

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
