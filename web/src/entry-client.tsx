import './import-module.ts'
import { callApi, confirmWith } from './api/call-api.ts'
import './styles/index.css'
import './zod-without-eval.ts'
import { startTransition, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { createBrowserRouter, createPath, matchRoutes, type Path, RouterContextProvider } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { readState } from './api/hydration.ts'
import { shopApi } from './api/part.ts'
import { onRecoverableError } from './components/hydration.tsx'
import { PageParts } from './document.tsx'
import { shownRoot } from './root-data.ts'
import { addDesk, allRouteObjects, resolveRoute, routeObjects } from './route-objects.ts'
import { isDeskPath } from './routes.ts'

const state = document.getElementById('hydration')?.textContent ?? '{"loaderData":{},"errors":null}'

/** Marks in the browser's timeline when the page answers to script: tests wait for it, traces show it. */
function HydrationMark() {
  useEffect(() => void performance.mark('hydrated'), [])
  return null
}

/** Not awaited at the top level: the page's chunk imports this one, and each would wait for the other. */
async function start(): Promise<void> {
  confirmWith(async () => (await import('./features/account/confirm-identity.tsx')).askToConfirm())
  let shown: ReturnType<typeof createBrowserRouter> | undefined
  const onMissing = () => loadIfStale(shown?.state.navigation.location)
  const isDesk = isDeskPath(window.location.pathname)
  const routes = isDesk ? await allRouteObjects(onMissing) : routeObjects(onMissing)
  const matches = matchRoutes(routes, window.location) ?? []
  await Promise.all(matches.map(({ route }) => resolveRoute(route)))
  const router = createBrowserRouter(routes, {
    hydrationData: readState(state),
    patchRoutesOnNavigation: ({ path, patch }) => (isDeskPath(path) ? addDesk(patch, onMissing) : undefined),
    getContext: () => {
      const context = new RouterContextProvider()
      context.set(shopApi, callApi)
      context.set(shownRoot, router.state.loaderData.root ?? null)
      return context
    },
  })
  shown = router
  startTransition(() => {
    hydrateRoot(
      document,
      <PageParts value={{ state, links: null }}>
        <RouterProvider router={router} />
        <HydrationMark />
      </PageParts>,
      { onRecoverableError },
    )
  })
}

/** Where it is noted that a page was loaded as a document because its script was gone. */
const LOADED_ANEW = 'loaded-anew'

/**
 * After an update the scripts of the build before are gone, and no other try brings them: the page that is wanted is
 * then loaded as a document, of the new build. Once for each page: what fails again has another reason.
 */
async function loadIfStale(wanted: Path | undefined): Promise<void> {
  const entry = document.querySelector<HTMLElement>('script[data-entry]')?.dataset.entry
  if (entry === undefined || wanted === undefined) return
  const isGone = await fetch(entry, { method: 'HEAD', cache: 'no-store' }).then(
    ({ status }) => status === 404,
    () => false,
  )
  const target = createPath(wanted)
  if (!isGone || sessionStorage.getItem(LOADED_ANEW) === target) return
  sessionStorage.setItem(LOADED_ANEW, target)
  window.location.assign(target)
  await new Promise(() => undefined) // this page stays until the next is there
}

start().catch((error: unknown) => {
  console.error(error)
  window.dispatchEvent(new Event('script-failed')) // entry-start.ts tells the visitor
})
