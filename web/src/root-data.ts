import type { Site, Viewer } from '@befaqt/domain/api/site-api'
import type { CategoryView } from '@befaqt/domain/catalogue'
import { useSyncExternalStore } from 'react'
import { createContext, useRouteLoaderData } from 'react-router'
import { getHeardViewer, watchHeardViewer } from './api/heard-viewer.ts'

/** What every page needs: the site, who is looking, and the categories or why there are none. */
export type RootData = {
  site: Site
  viewer: Viewer
  categories: CategoryView[] | null
  categoriesError: string | null
}

/** Where the loader of this data finds what the page shows now; nothing on the server, and where it was never read. */
export const shownRoot = createContext<RootData | null>(null)

/** The data of every page; undefined only when it could not be loaded. */
export const useRootData = () => useRouteLoaderData<RootData>('root')

/** Site configuration; undefined only when it could not be loaded. */
export const useSite = (): Site | undefined => useRootData()?.site

/** Who is looking; null when nobody is signed in. */
export function useViewer(): Viewer {
  const root = useRootData()
  const heard = useSyncExternalStore(watchHeardViewer, getHeardViewer, () => null)
  return heard ? heard.viewer : (root?.viewer ?? null)
}

/** Active categories in the shop's order, or the message of why they could not be had. */
export const useCategories = (): Pick<RootData, 'categories' | 'categoriesError'> =>
  useRootData() ?? { categories: null, categoriesError: null }
