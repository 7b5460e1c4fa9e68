import { ShopError } from '@befaqt/domain/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { type ReadyAnswer, readyAnswer, sendReady } from '#server/http/answer.ts'
import { FreshCache } from '#server/http/fresh-cache.ts'
import type { SendStatic } from '#server/http/static.ts'
import { refuseIfCall } from '#server/http/unknown-address.ts'
import { inProcessApi } from './in-process-api.ts'
import type { Renderer } from './renderer.ts'

/** Pages hold prices: a browser may keep one but asks each time whether it still holds. */
const ASK_AGAIN = 'no-cache'
const KEPT_PAGES = 2_000
const LONGEST_URL = 2_000
const HTML = 'text/html; charset=utf-8'
/** `//x` and `/\x` name a host wherever they stand alone, so no page is known by them. Source: WHATWG URL. */
const HOST_LIKE = /^\/[/\\]+/

/**
 * Every address that is not an API call: rendered from the same loaders as in the browser. Pages for nobody in
 * particular are rendered once and kept compressed until the catalogue or a box changes.
 */
export function pageRoutes(app: FastifyInstance, deps: Deps, render: Renderer, sendStatic: SendStatic): void {
  const kept = new FreshCache<ReadyPage>(KEPT_PAGES)
  deps.catalogue.onChange(() => kept.clear())

  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    refuseIfCall(request.url)
    if (HOST_LIKE.test(request.url)) return reply.redirect(request.url.replace(HOST_LIKE, '/'), 301)
    if (request.url.length > LONGEST_URL) throw new ShopError('input.invalid', 'This address is too long.')
    if (request.asker.kind === 'nobody' && isShared(request.url)) {
      const make = () => renderPage(request, deps, render)
      return sendPage(request, reply, await kept.get(request.url, make, isWhole), ASK_AGAIN)
    }
    return sendPage(request, reply, await renderPage(request, deps, render), 'no-store')
  }
  app.register((managed, _options, done) => {
    managed.setErrorHandler((error, request, reply) => refusedPage(error, request, reply, deps, render))
    managed.get('/manage', page)
    managed.get('/manage/*', page)
    done()
  })
  app.get('/*', async (request, reply) =>
    sendStatic(request.url.split('?', 1)[0] ?? '', reply) ? reply : page(request, reply),
  )
}

/**
 * What the access table refuses is answered as a page with status 403. The page's own loader is refused the same
 * data and says why; should a page have nothing that is refused, it is not shown at all. Source: product.md.
 */
async function refusedPage(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  deps: Deps,
  render: Renderer,
): Promise<FastifyReply> {
  if (!(error instanceof ShopError) || (error.status !== 401 && error.status !== 403)) throw error
  const page = await renderPage(request, deps, render)
  if (page.status !== 401 && page.status !== 403)
    return reply.code(403).type('text/plain; charset=utf-8').send(`403: ${error.message}\n`)
  return sendReady(request, reply, { ...page, status: 403 }, 'no-store')
}

/** Pages that anybody gets alike. Account pages carry tokens in their address; box pages change with every reading. */
const isShared = (url: string): boolean => !/^\/(user|manage|SFMBox)(\/|\?|$)/i.test(url)

/** A page that failed, or a part of it, is asked for again by the next visitor. */
const isWhole = ({ status }: ReadyPage): boolean => status < 500

/** A kept page, or where its loader sends the visitor instead. */
type ReadyPage = ReadyAnswer & { redirect?: string }

async function renderPage(request: FastifyRequest, deps: Deps, render: Renderer): Promise<ReadyPage> {
  const { url, method } = request
  const page = await render({ url, method, headers: {} }, inProcessApi(deps, request.asker))
  if (page.error !== undefined) request.log.error({ err: page.error }, 'page failed')
  const answer = await readyAnswer(page.html, HTML, page.status)
  return page.redirect === undefined ? answer : { ...answer, redirect: page.redirect }
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: ReadyPage, cacheControl: string) {
  if (page.redirect !== undefined) return reply.redirect(page.redirect, page.status)
  return sendReady(request, reply, page, page.status === 200 ? cacheControl : 'no-store')
}
