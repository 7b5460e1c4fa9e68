import cookie from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { userRoutes } from './accounts/managing/routes.ts'
import { accountRoutes } from './accounts/routes.ts'
import { readAsker } from './accounts/sessions/viewer.ts'
import { freshenChain } from './anchoring/freshen-chain.ts'
import { ledgerRoutes } from './anchoring/routes.ts'
import { historyRoutes } from './audit/routes.ts'
import { boxManageRoutes } from './boxes/managing/routes.ts'
import { boxRoutes } from './boxes/routes.ts'
import { categoryRoutes } from './catalogue/categories/routes.ts'
import { productRoutes } from './catalogue/products/routes.ts'
import { catalogueRoutes } from './catalogue/routes.ts'
import { readOnlyDoor } from './chain/read-only-door.ts'
import { proxyTrust } from './config/trusted-proxies.ts'
import type { Deps } from './deps.ts'
import { fileRoutes } from './files/routes.ts'
import { geocodeRoutes } from './geocode/routes.ts'
import { compressAnswers } from './http/caching/compress-answers.ts'
import { handleErrors } from './http/errors.ts'
import { readJsonStrictly } from './http/json.ts'
import { enforceLimits } from './http/limits/enforce-limits.ts'
import { BODY_BYTES, type ServerLimits, serverLimits } from './http/limits/route-limits.ts'
import { acceptForms } from './http/read-form.ts'
import { keepRoutes } from './http/route.ts'
import { secureHeaders } from './http/security.ts'
import { staticFiles } from './http/static.ts'
import { refuseUnknownCalls, refuseUnreadable } from './http/unknown-address.ts'
import { type Asker, nobody } from './identity/principal.ts'
import { ingestionRoutes } from './ingestion/routes.ts'
import { mailRoutes } from './mail/routes.ts'
import { attentionRoutes } from './ops/attention.ts'
import { type Drain, newDrain } from './ops/drain.ts'
import { openApiRoutes } from './ops/openapi-routes.ts'
import { opsRoutes } from './ops/ops-routes.ts'
import { readableAddress } from './pages/address.ts'
import type { Renderer } from './pages/renderer.ts'
import { pageCalls, pageRoutes } from './pages/routes.ts'
import { siteRoutes } from './site/routes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who makes this request; read before every handler. */
    asker: Asker
  }
}

/**
 * Wires HTTP; does not listen. Pages need the built renderer, API tests do without.
 * @param limits of the server, shorter in tests
 */
export async function buildApp(
  deps: Deps,
  render?: Renderer,
  limits: ServerLimits = serverLimits,
  drain: Drain = newDrain(),
): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = deps.log
  const app: FastifyInstance = Fastify({
    loggerInstance,
    bodyLimit: BODY_BYTES,
    requestTimeout: limits.requestMs,
    connectionTimeout: limits.idleMs,
    http: { headersTimeout: limits.headMs, connectionsCheckingInterval: limits.checkEveryMs },
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
    trustProxy: deps.config.TRUSTED_PROXIES.length > 0 && proxyTrust(deps.config.TRUSTED_PROXIES),
    frameworkErrors: refuseUnreadable,
    return503OnClosing: false, // what reaches a process that ends is served
    rewriteUrl: ({ url = '/' }) => readableAddress(url),
  })
  app.server.maxConnections = limits.connections
  app.decorateRequest('asker')
  keepRoutes(app)
  handleErrors(app)
  compressAnswers(app)
  refuseUnknownCalls(app)
  readJsonStrictly(app)
  await acceptForms(app)
  await secureHeaders(app, deps.config)
  await enforceLimits(app)
  await app.register(cookie)
  const files = render && (await staticFiles(app, deps.config.WEB_DIST))
  app.addHook('onRequest', async (request) => {
    request.asker = nobody
    const { url, config } = request.routeOptions
    const isFile = url === pageCalls.readPage.url && files?.has(request.url.split('?', 1)[0] ?? '') === true
    if (config.route?.sameForAll || isFile) return
    request.asker = await readAsker(deps, request)
  })
  opsRoutes(app, deps, drain)
  openApiRoutes(app)
  siteRoutes(app, deps)
  accountRoutes(app, deps)
  userRoutes(app, deps)
  catalogueRoutes(app, deps)
  categoryRoutes(app, deps)
  productRoutes(app, deps)
  fileRoutes(app, deps)
  geocodeRoutes(app, deps)
  boxRoutes(app, deps)
  boxManageRoutes(app, deps)
  ingestionRoutes(app, deps)
  historyRoutes(app, deps)
  ledgerRoutes(app, deps)
  attentionRoutes(app, deps)
  mailRoutes(app, deps)
  await readOnlyDoor(app, { rpc: deps.chain.rpc, freshen: () => freshenChain(deps) })
  if (render !== undefined && files !== undefined) pageRoutes(app, deps, render, files)
  return app
}
