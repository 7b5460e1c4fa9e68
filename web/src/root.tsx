import { readCategoriesOnSale, readSite, readViewer } from '@befaqt/domain/api/endpoints/shop'
import {
  data,
  type LoaderFunctionArgs,
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useRouteError,
} from 'react-router'
import { readPart, shopApi } from './api/part.ts'
import { Document } from './document.tsx'
import { ErrorScreen } from './features/shell/error-screen.tsx'
import { Shell, useIsDesk } from './features/shell/shell.tsx'
import { type RootData, shownRoot } from './root-data.ts'

/** What a page shows already stays when it can't be read again: what was done on it matters more. */
const orShown = <Value,>(read: Promise<Value>, shown: Value | undefined): Promise<Value> =>
  shown === undefined ? read : read.catch(() => shown)

/** Without the categories the page is shown all the same, as a failed one that nobody keeps. */
export async function loader({ context }: LoaderFunctionArgs) {
  const call = context.get(shopApi)
  const shown = context.get(shownRoot)
  const [site, viewer, read] = await Promise.all([
    orShown(call(readSite), shown?.site),
    orShown(call(readViewer), shown?.viewer),
    readPart(context, () => call(readCategoriesOnSale)),
  ])
  const known = read.error === null ? null : (shown?.categories ?? null)
  const { value, error } = known === null ? read : { value: known, error: null }
  const root: RootData = { site, viewer, categories: value, categoriesError: error }
  return error === null ? root : data(root, { status: 503 })
}

/** Moving from page to page does not ask for all this again; doing something (sign in, save) does. */
export function shouldRevalidate({ formMethod, currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  if (formMethod && formMethod !== 'GET') return true
  return currentUrl.href === nextUrl.href
}

export default function Root() {
  return (
    <Document>
      <Shell isDesk={useIsDesk()}>
        <Outlet />
      </Shell>
    </Document>
  )
}

/** When even the site's own data can't be had: the error without anything that needs it. */
export function ErrorBoundary() {
  return (
    <Document>
      <Shell>
        <ErrorScreen error={useRouteError()} />
      </Shell>
    </Document>
  )
}
