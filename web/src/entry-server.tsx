import type { SentForm } from '@befaqt/domain/api/sent-form'
import type { ShopApi } from '@befaqt/domain/api/shop-api'
import { ShopError } from '@befaqt/domain/errors'
import { renderToString } from 'react-dom/server'
import {
  createStaticHandler,
  createStaticRouter,
  isRouteErrorResponse,
  RouterContextProvider,
  type StaticHandlerContext,
  StaticRouterProvider,
} from 'react-router'
import { writeState } from './api/hydration.ts'
import { reportFailure, shopApi } from './api/part.ts'
import { FragmentSourceContext } from './components/cached-fragment.tsx'
import { PageParts } from './document.tsx'
import { FragmentCache } from './fragment-cache.ts'
import { type PageAssets, pageAssets } from './page-assets.ts'
import { allRouteObjects, resolveAll } from './route-objects.ts'

export type PageRequest = {
  url: string
  method?: string
  headers?: Record<string, string>
  /** What became of the form that this page sent. */
  sent?: SentForm
}
export type RenderedPage = {
  status: number
  /** In UTF-8. */
  html: Buffer
  headers: Record<string, string>
  redirect?: string
  /** What went wrong inside, for the log; never in the page. */
  error?: unknown
}

const routes = await allRouteObjects()
await resolveAll(routes)
const handler = createStaticHandler(routes)
const fragments = new FragmentCache()
const HTML = { 'content-type': 'text/html; charset=utf-8' }

/** Status of the page: what the failed loader's error says, else the router's own. */
function statusOf({ errors, statusCode }: StaticHandlerContext): number {
  const error = errors && Object.values(errors)[0]
  if (error instanceof ShopError) return error.status
  if (isRouteErrorResponse(error)) return error.status
  return errors ? 500 : statusCode
}

function markup(context: StaticHandlerContext): Buffer {
  const { loaderData, actionData, errors } = context
  const parts = {
    state: writeState({ loaderData, errors, ...(actionData && { actionData }) }),
    links: <AssetLinks assets={pageAssets(context.matches.map((match) => match.route.id))} />,
  }
  const router = createStaticRouter(handler.dataRoutes, context)
  return fragments.renderPage((source) => {
    const html = renderToString(
      <PageParts value={parts}>
        <FragmentSourceContext value={source}>
          <StaticRouterProvider router={router} context={context} hydrate={false} />
        </FragmentSourceContext>
      </PageParts>,
    )
    return `<!doctype html>${html}`
  })
}

/** A component that throws must not cost the visitor the page around it: shows the error screen in its place. */
function markupOrErrorScreen(context: StaticHandlerContext): { html: Buffer; error?: unknown } {
  try {
    return { html: markup(context) }
  } catch (error) {
    return { html: markup({ ...context, statusCode: 500, errors: { root: error } }), error }
  }
}

/**
 * One page as HTML.
 * @param asked its address: absolute, or a path, which is never taken for a host
 * @param api the shop as this visitor may see it
 */
export async function render(asked: PageRequest, api: ShopApi): Promise<RenderedPage> {
  const url = asked.url.startsWith('/') ? `http://localhost${asked.url}` : asked.url
  const request = new Request(url, { headers: asked.headers ?? {} })
  const failed: unknown[] = []
  const requestContext = new RouterContextProvider()
  requestContext.set(shopApi, api)
  requestContext.set(reportFailure, (error) => void failed.push(error))
  const context = await handler.query(request, { requestContext })
  if (context instanceof Response) {
    const redirect = context.headers.get('location') ?? '/'
    return { status: context.status, html: Buffer.alloc(0), headers: { location: redirect }, redirect }
  }
  const page = context.matches.at(-1)
  if (asked.sent && page) context.actionData = { [page.route.id]: asked.sent }
  const { html, error } = markupOrErrorScreen(context)
  const failure = error ?? (context.errors && Object.values(context.errors)[0]) ?? failed[0]
  const status = error === undefined ? statusOf(context) : 500
  return { status, html, headers: HTML, ...(failure != null && status >= 500 && { error: failure }) }
}

/** Fonts, styles and scripts of a page, for its head. The page's script comes after what can be seen: entry-start.ts. */
function AssetLinks({ assets }: { assets: PageAssets }) {
  return (
    <>
      {assets.fonts.map((href) => (
        <link key={href} rel="preload" href={href} as="font" type="font/woff2" crossOrigin="anonymous" />
      ))}
      {assets.styles.map((href) => (
        <link key={href} rel="stylesheet" href={href} precedence="default" />
      ))}
      <script
        type="module"
        src={assets.start}
        data-entry={assets.entry}
        data-modules={assets.modules.join(' ')}
      />
    </>
  )
}
