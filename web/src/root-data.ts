import type { Site, Viewer } from '@befaqt/domain/api/site-api'
import type { CategoryView } from '@befaqt/domain/catalogue'
import { useRouteLoaderData } from 'react-router'

/** What every page needs: the site, who is looking, and the categories or why there are none. */
export type RootData = {
  site: Site
  viewer: Viewer
  categories: CategoryView[] | null
  categoriesError: string | null
}

const useRootData = () => useRouteLoaderData<RootData>('root')

/** Site configuration; undefined only when it could not be loaded. */
export const useSite = (): Site | undefined => useRootData()?.site

/** Who is looking; null when nobody is signed in. */
export const useViewer = (): Viewer => useRootData()?.viewer ?? null

/** Active categories in the shop's order, or the message of why they could not be had. */
export const useCategories = (): Pick<RootData, 'categories' | 'categoriesError'> =>
  useRootData() ?? { categories: null, categoriesError: null }
