import { endpoint } from '@befaqt/domain/api/endpoint'
import type { SentForm } from '@befaqt/domain/api/sent-form'
import type { ShopApi } from '@befaqt/domain/api/shop-api'
import { ShopError } from '@befaqt/domain/errors'
import { marketDate } from '@befaqt/domain/market-time'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type BoxVersionDeps, boxVersion } from '#server/boxes/index.ts'
import type { Cdn } from '#server/cdn/cdn.ts'
import { pageTags } from '#server/cdn/page-tags.ts'
import type { Config } from '#server/config/config.ts'
import { isDatabaseUnreachable } from '#server/db/unreachable.ts'
import { sendCached } from '#server/http/caching/cached-response.ts'
import { databaseUnavailable, rejectUnknownApiPath } from '#server/http/errors.ts'
import { defineRoutes, disconnected, registerRoute } from '#server/http/route.ts'
import { canonicalUrl } from '#server/http/site-origin.ts'
import type { StaticFiles } from '#server/pages/built-pages.ts'
import { namesTimes, type Settings } from '#server/site/index.ts'
import type { Renderer } from './built-pages.ts'
import { formRoutes } from './forms.ts'
import { type CachedPage, HTML, type Page, PageCache } from './page-cache.ts'
import { type PageReadDeps, readsOf } from './page-reads.ts'
import { boxIdFromPath, isCombination, isPublicPage, normalizeUrl, stripTrackingParams } from './page-url.ts'

/** Pages show prices: a browser may cache one but must revalidate it each time. */
const REVALIDATE = 'no-cache'

const manage = { access: 'staff', limits: 'page', summary: 'Pages for managers.' } as const

/** The same file for everybody: what is private comes by the API (docs/decisions/0056-phone-pages.md). */
const field = {
  access: 'public',
  limits: 'page',
  summary: 'Pages for the phones of suppliers.',
  skipAuthentication: true,
} as const
const FIELD_PAGE = '/field.html'
/** Where administrators set up the second factor that REQUIRE_SECOND_FACTOR wants of them. */
const SECOND_FACTOR_PAGE = '/user/profile#two-step'

const endpoints = {
  readManagePage: endpoint('GET', '/manage'),
  readManagePages: endpoint('GET', '/manage/*'),
  readFieldPage: endpoint('GET', '/field'),
  readFieldPages: endpoint('GET', '/field/*'),
  readPage: endpoint('GET', '/*'),
}

export const pageOperations = defineRoutes(endpoints, {
  readManagePage: { ...manage, responses: { 200: HTML } },
  readManagePages: { ...manage, responses: { 200: HTML } },
  readFieldPage: { ...field, responses: { 200: HTML } },
  readFieldPages: { ...field, responses: { 200: HTML } },
  readPage: {
    summary: 'Pages and static files.',
    access: 'public',
    limits: 'page',
    responses: { 200: HTML },
  },
})

type PageDeps = PageReadDeps &
  BoxVersionDeps & { config: Pick<Config, 'TRUSTED_PROXIES' | 'PUBLIC_URL'>; cdn: Cdn | null }

/**
 * Every URL outside the API, rendered from the same loaders as in the browser. Public pages are cached from their second
 * request on, compressed: until the catalogue changes; box pages while the box has the same version.
 */
export function pageRoutes(app: FastifyInstance, deps: PageDeps, render: Renderer, files: StaticFiles): void {
  const cache = new PageCache()
  deps.catalogue.onChange(() => cache.clear())
  const publicAddress = canonicalUrl(deps.config)
  const redirectHome = (request: FastifyRequest, reply: FastifyReply): boolean => {
    const address = publicAddress(request)
    if (address !== undefined) reply.header('cache-control', 'no-store').redirect(address, 307)
    return address !== undefined
  }

  /** Pages from before a change, while the database does not answer, say how old they are. Source: RFC 9111 §5.1. */
  const withAge = (reply: FastifyReply): FastifyReply => {
    const { behindS } = deps.catalogue
    return behindS === undefined ? reply : reply.header('age', behindS)
  }

  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    const { principal, url } = request
    rejectUnknownApiPath(url)
    if (redirectHome(request, reply)) return reply
    const plain = normalizeUrl(url)
    if (plain !== url) return reply.redirect(plain, 301)
    const make = (signal?: AbortSignal) => renderPage(request, deps, render, signal)
    const shown = stripTrackingParams(url)
    const key =
      principal.kind === 'anonymous' && !isCombination(shown) && (await isLedgerDeployed(deps))
        ? await cacheKey(deps, shown)
        : undefined
    return key === undefined
      ? sendPage(request, reply, await make(disconnected(reply)), 'no-store')
      : sendShared(request, withAge(reply), deps.cdn, await cache.get(key, () => tagged(deps, shown, make())))
  }
  app.register((managed, _options, done) => {
    managed.setErrorHandler((error, request, reply) =>
      redirectHome(request, reply)
        ? reply
        : isDatabaseUnreachable(error)
          ? unavailablePage(error, request, reply, render)
          : forbiddenPage(error, request, reply, deps, render),
    )
    registerRoute(managed, pageOperations.readManagePage, ({ request, reply }) => page(request, reply))
    registerRoute(managed, pageOperations.readManagePages, ({ request, reply }) => page(request, reply))
    done()
  })
  app.register((pages, _options, done) => {
    pages.setErrorHandler((error, request, reply) => {
      if (!isDatabaseUnreachable(error)) throw error
      rejectUnknownApiPath(request.url)
      return unavailablePage(error, request, reply, render)
    })
    const fieldPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
      if (redirectHome(request, reply) || files.send(FIELD_PAGE, reply)) return reply
      throw new ShopError('not_found', 'The pages for phones are not built.')
    }
    registerRoute(pages, pageOperations.readFieldPage, ({ request, reply }) => fieldPage(request, reply))
    registerRoute(pages, pageOperations.readFieldPages, ({ request, reply }) => fieldPage(request, reply))
    registerRoute(pages, pageOperations.readPage, ({ request, reply }) =>
      files.send(request.url.split('?', 1)[0] ?? '', reply) ? reply : page(request, reply),
    )
    formRoutes(pages, deps.config, async (request, reply, sent) => {
      const shown = await renderPage(request, deps, render, disconnected(reply), sent)
      const status = shown.status === 200 ? (sent.refusal?.status ?? 200) : shown.status
      return sendPage(request, reply, { ...shown, status }, 'no-store')
    })
    done()
  })
}

/** A page that everybody gets, with what it shows where a CDN keeps copies of it. */
async function tagged({ cdn, catalogue }: PageDeps, url: string, made: Promise<Page>): Promise<Page> {
  const page = await made
  if (cdn === null || page.status !== 200) return page
  const { categoryByTitle, product } = await catalogue.snapshot()
  const [, kind = '', name = ''] = /^\/(category|product)\/([^/?]+)/i.exec(url) ?? []
  const category = /^category$/i.test(kind)
    ? () => categoryByTitle(decodeURIComponent(name))._id
    : () => product(name).category_id
  return { ...page, tags: pageTags(url, page.html.toString(), name === '' ? undefined : known(category)) }
}

/** A page may be of something that is not sold. */
function known<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Sends what is the same for everybody; copies are shared where a CDN is in front. */
function sendShared(request: FastifyRequest, reply: FastifyReply, cdn: Cdn | null, page: Page | CachedPage) {
  if (cdn === null || page.status !== 200 || page.tags === undefined)
    return sendPage(request, reply, page, REVALIDATE)
  cdn.tag(reply, page.tags)
  return sendPage(request, reply, page, cdn.control)
}

/** Is it a public page that names the next slots? Home is, and of the pages of words those that ask for them. */
function namesSlots({ pages }: Settings, url: string): boolean {
  const [path = ''] = url.split('?', 1)
  return path === '/' || namesTimes(pages.get(path.slice(1)))
}

/**
 * The cache key of a public page; undefined: it is rendered for each visitor. Pages count days, so they have one key a
 * day, and another one when a box that was warm has been silent for too long, or when the site was edited; those that
 * name the next slots have one for them, too.
 * @param url normalized
 */
async function cacheKey(deps: PageDeps, url: string): Promise<string | undefined> {
  const now = deps.now()
  const site = await deps.site.current()
  if (isPublicPage(url)) {
    const day = dateOf(now.getTime(), deps.siteFile.market.timeZone)
    const slots = namesSlots(site, url) ? await deps.nextSlots.version(now) : ''
    return `${url} ${site.version} ${day} ${deps.catalogue.unknownBy(now)} ${slots}`
  }
  const boxID = boxIdFromPath(url)
  if (boxID === undefined) return undefined
  const version = await boxVersion(deps, boxID).catch(() => undefined) // its loader reports the error
  return version && `${url} ${site.version} ${version}`
}

/** The last minute in which a page was requested: formatting its date takes longer than finding a cached page. */
let last = { minute: Number.NaN, timeZone: '', date: '' }

/** The market date of an instant. Days begin on a whole minute in every zone. */
function dateOf(instant: number, timeZone: string): string {
  const minute = Math.floor(instant / 60_000)
  if (minute !== last.minute || timeZone !== last.timeZone)
    last = { minute, timeZone, date: marketDate(instant, timeZone) }
  return last.date
}

/** Every page names the ledger, so none is cached before it is deployed. */
const isLedgerDeployed = ({ ledger }: PageDeps): Promise<boolean> =>
  ledger.locate().then(
    ({ contract }) => contract !== null,
    () => false,
  )

/**
 * A page that the access rules forbid is rendered with status 403. Its loader gets the same error and says why; a page
 * whose loaders raise no error is not shown at all. Source: product.md.
 */
async function forbiddenPage(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: PageDeps,
  render: Renderer,
): Promise<FastifyReply> {
  if (error instanceof ShopError && error.code === 'auth.second_factor')
    return reply.header('cache-control', 'no-store').redirect(SECOND_FACTOR_PAGE, 303)
  if (!(error instanceof ShopError) || (error.status !== 401 && error.status !== 403)) throw error
  const page = await renderPage(request, deps, render)
  if (page.status !== 401 && page.status !== 403)
    return reply
      .code(403)
      .header('cache-control', 'no-store')
      .type('text/plain; charset=utf-8')
      .send(`403: ${error.message}\n`)
  return sendPage(request, reply, { ...page, status: 403 }, 'no-store')
}

/**
 * The page of somebody whose session can't be looked up: every loader gets the error and the page says so. It is not
 * rendered as if nobody were logged in.
 */
async function unavailablePage(
  cause: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  render: Renderer,
): Promise<FastifyReply> {
  request.log.warn({ err: cause }, 'page failed')
  const error = databaseUnavailable(cause)
  const api: ShopApi = async () => {
    throw error
  }
  const page = await render({ url: request.url, method: request.method, headers: {} }, api)
  return sendPage(request, reply.header('retry-after', '2'), { ...page, status: 503 }, 'no-store')
}

/** @param signal aborts when nobody waits for the page any more; a cached one is for others, too */
async function renderPage(
  request: FastifyRequest,
  deps: PageDeps,
  render: Renderer,
  signal?: AbortSignal,
  sent?: SentForm,
): Promise<Page> {
  const { url, method } = request
  const asked = { url: stripTrackingParams(url), method, headers: {}, ...(sent && { sent }) }
  const page = await render(asked, readsOf(deps, request.principal, signal))
  if (isDatabaseUnreachable(page.error)) {
    request.log.warn({ err: page.error }, 'page failed')
    return { ...page, status: 503 }
  }
  if (page.error !== undefined) request.log.error({ err: page.error }, 'page failed')
  return page
}

/** @param cacheControl for successful pages */
function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page | CachedPage,
  cacheControl: string,
) {
  if (page.redirect !== undefined) return reply.redirect(page.redirect, page.status)
  const cache = page.status === 200 ? cacheControl : 'no-store'
  if ('plain' in page) return sendCached(request, reply, page, cache)
  reply.header('cache-control', cache).header('vary', 'accept-encoding, cookie')
  return reply.code(page.status).type(HTML).send(page.html)
}
