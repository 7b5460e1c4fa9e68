import './import-module.ts'
import { callApi, confirmWith } from './api/call-api.ts'
import './styles/index.css'
import './zod-without-eval.ts'
import { startTransition, useEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { createBrowserRouter, matchRoutes, RouterContextProvider } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { shopApi } from './api/context.ts'
import { readState } from './api/hydration.ts'
import { onRecoverableError } from './components/hydration-mismatch.ts'
import { PageParts } from './document.tsx'
import { shownRoot } from './root-data.ts'
import { resolveRoute, routeObjects } from './route-objects.ts'

const routes = routeObjects()
const state = document.getElementById('hydration')?.textContent ?? '{"loaderData":{},"errors":null}'

/** Marks in the browser's timeline when the page answers to script: tests wait for it, traces show it. */
function HydrationMark() {
  useEffect(() => void performance.mark('hydrated'), [])
  return null
}

/** Not awaited at the top level: the page's chunk imports this one, and each would wait for the other. */
async function start(): Promise<void> {
  confirmWith(async () => (await import('./features/account/confirm-identity.tsx')).askToConfirm())
  const matches = matchRoutes(routes, window.location) ?? []
  await Promise.all(matches.map(({ route }) => resolveRoute(route)))
  const router = createBrowserRouter(routes, {
    hydrationData: readState(state),
    getContext: () => {
      const context = new RouterContextProvider()
      context.set(shopApi, callApi)
      context.set(shownRoot, router.state.loaderData.root ?? null)
      return context
    },
  })
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

start().catch((error: unknown) => {
  console.error(error)
  window.dispatchEvent(new Event('script-failed')) // entry-start.ts tells the visitor
})
