import cookie from '@fastify/cookie'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { whileAnswering } from '#server/db/unreachable.ts'
import { couponRoutes } from '#server/orders/coupons/routes.ts'
import { userRoutes } from './accounts/manage-users.ts'
import { accountRoutes } from './accounts/routes.ts'
import { authenticate, hasCredentials } from './accounts/sessions/authenticate.ts'
import { anchorRoutes } from './anchoring/anchors.ts'
import { syncEmbeddedChain } from './anchoring/chain-transactions.ts'
import { ledgerRoutes } from './anchoring/ledger-health.ts'
import { anchorLogRoutes } from './anchoring/log/serve-log.ts'
import { stampRoutes } from './anchoring/stamps/serve-stamps.ts'
import { historyRoutes } from './audit/history.ts'
import { logSecurityOfRequests } from './audit/security-log.ts'
import { backupRoutes } from './backup/kept/routes.ts'
import { restoreRoutes } from './backup/welcome/routes.ts'
import { boxTradeRoutes } from './boxes/epcis/routes.ts'
import { boxEventRoutes } from './boxes/events/streams.ts'
import { labelRoutes } from './boxes/labels/labels.ts'
import { boxManageRoutes } from './boxes/managing/routes.ts'
import { resolverRoutes } from './boxes/resolver.ts'
import { resultRoutes, stationRoutes } from './boxes/results/routes.ts'
import { boxRoutes } from './boxes/routes.ts'
import { categoryRoutes } from './catalogue/categories/routes.ts'
import { productRoutes } from './catalogue/products/routes.ts'
import { catalogueRoutes } from './catalogue/routes.ts'
import { keepPersonalPrivate } from './cdn/cdn.ts'
import { rpcProxy } from './chain/rpc-proxy.ts'
import { proxyTrust } from './config/trusted-proxies.ts'
import type { Deps } from './deps.ts'
import { exportRoutes } from './desk/export-list.ts'
import { deskRoutes } from './desk/routes.ts'
import { viewRoutes } from './desk/views.ts'
import { loggerFileRoutes } from './devices/logger-files/routes.ts'
import { deviceRoutes } from './devices/routes.ts'
import { trackerRoutes } from './devices/trackers/routes.ts'
import { excursionRoutes } from './excursions/routes.ts'
import { fieldRoutes } from './field/routes.ts'
import { supplierRoutes } from './field/supplier-routes.ts'
import { fileRoutes } from './files/routes.ts'
import { geocodeRoutes } from './geocode/routes.ts'
import { compressResponses } from './http/caching/compression.ts'
import { httpServer } from './http/http-server.ts'
import { enforceLimits } from './http/limits/enforce-limits.ts'
import { limitClasses, type ServerLimits, serverLimits } from './http/limits/route-limits.ts'
import { acceptMultipart } from './http/multipart-form.ts'
import { allowApiOrigins, secureHeaders } from './http/security-headers.ts'
import { useStrictJson } from './http/strict-json.ts'
import { anonymous, type Principal } from './identity/principal.ts'
import { ingestionRoutes } from './ingestion/routes.ts'
import { senderLimit } from './ingestion/sender-limit.ts'
import { mailRoutes } from './mail/routes.ts'
import { noticeRoutes } from './notices/routes.ts'
import { attentionRoutes } from './ops/attention.ts'
import { openApiRoutes } from './ops/openapi-routes.ts'
import { type Drain, newDrain, opsRoutes } from './ops/ops-routes.ts'
import { healthRoutes } from './ops/shop-health.ts'
import { complaintRoutes } from './orders/complaints/routes.ts'
import { orderDocumentRoutes } from './orders/documents/routes.ts'
import { orderManageRoutes } from './orders/managing/routes.ts'
import { paymentRoutes } from './orders/paying/routes.ts'
import { recallRoutes } from './orders/recalling/routes.ts'
import { orderRoutes } from './orders/routes.ts'
import { slotRuleRoutes } from './orders/slot-rules/routes.ts'
import type { Renderer } from './pages/built-pages.ts'
import { type StaticFiles, staticFiles } from './pages/built-pages.ts'
import { readsOf } from './pages/page-reads.ts'
import { originForm, repairPercentEncoding } from './pages/page-url.ts'
import { pageOperations, pageRoutes } from './pages/routes.ts'
import { personalDataRoutes } from './personal-data.ts'
import { reportRoutes } from './reports/routes.ts'
import { siteManageRoutes } from './site/manage-routes.ts'
import { siteRoutes } from './site/routes.ts'
import { traceRequests } from './tracing/request-spans.ts'
import { webhookRoutes } from './webhooks/manage-webhooks.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who makes this request; set before every handler. */
    principal: Principal
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
  const isProxy = proxyTrust(deps.config.TRUSTED_PROXIES)
  const options = {
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
    trustProxy: deps.config.TRUSTED_PROXIES.length > 0 && isProxy,
    rewriteUrl: ({ url = '/' }: { url?: string | undefined }) => repairPercentEncoding(originForm(url)),
  }
  const app = httpServer(deps.log, limits, options, isProxy)
  app.decorateRequest('principal')
  let files: StaticFiles | undefined
  const isFile = (request: FastifyRequest): boolean =>
    request.matched.url === pageOperations.readPage.url &&
    files?.has(request.url.split('?', 1)[0] ?? '') === true
  traceRequests(app, isProxy, isFile)
  logSecurityOfRequests(app)
  keepPersonalPrivate(app)
  compressResponses(app)
  useStrictJson(app)
  await acceptMultipart(app)
  secureHeaders(app, deps.config)
  allowApiOrigins(app, deps.config)
  await enforceLimits(app, limitClasses, deps.database)
  await app.register(cookie)
  files = render && (await staticFiles(app, deps.config.WEB_DIST))
  app.addHook('onRequest', (request, _reply, done) => {
    request.principal = anonymous
    const { route } = request.matched
    if (route?.skipAuthentication || isFile(request) || !hasCredentials(request)) return done()
    whileAnswering(deps.database, authenticate(deps, request))
      .then((principal) => {
        request.principal = principal
      })
      .then(() => done(), done)
  })
  opsRoutes(app, deps, drain)
  openApiRoutes(app)
  siteRoutes(app, deps)
  siteManageRoutes(app, deps)
  accountRoutes(app, deps)
  userRoutes(app, deps)
  personalDataRoutes(app, deps)
  catalogueRoutes(app, deps)
  categoryRoutes(app, deps)
  await productRoutes(app, deps)
  fileRoutes(app, deps)
  geocodeRoutes(app, deps)
  boxRoutes(app, deps)
  boxEventRoutes(app, deps)
  resolverRoutes(app, deps)
  labelRoutes(app, deps)
  boxTradeRoutes(app, deps)
  boxManageRoutes(app, deps)
  resultRoutes(app, deps)
  stationRoutes(app, deps)
  const limitSender = senderLimit()
  ingestionRoutes(app, deps, limitSender)
  deviceRoutes(app, deps)
  excursionRoutes(app, deps)
  supplierRoutes(app, deps)
  fieldRoutes(app, deps)
  trackerRoutes(app, deps, limitSender)
  loggerFileRoutes(app, deps)
  noticeRoutes(app, deps)
  orderRoutes(app, deps)
  couponRoutes(app, deps)
  orderManageRoutes(app, deps)
  recallRoutes(app, deps)
  orderDocumentRoutes(app, deps)
  complaintRoutes(app, deps)
  await paymentRoutes(app, deps)
  slotRuleRoutes(app, deps)
  historyRoutes(app, deps)
  webhookRoutes(app, deps)
  backupRoutes(app, deps)
  await restoreRoutes(app, deps)
  ledgerRoutes(app, deps)
  anchorRoutes(app, deps)
  anchorLogRoutes(app, deps)
  stampRoutes(app, deps)
  attentionRoutes(app, deps)
  healthRoutes(app, deps)
  deskRoutes(app, deps)
  viewRoutes(app, deps)
  exportRoutes(app, deps, (principal, signal) => readsOf(deps, principal, signal))
  reportRoutes(app, deps)
  mailRoutes(app, deps)
  await rpcProxy(app, { rpc: deps.chain.rpc, sync: () => syncEmbeddedChain(deps) })
  if (render !== undefined && files !== undefined) pageRoutes(app, deps, render, files)
  return app
}
