import { ShopError } from '@befaqt/domain/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { beginSpan, isTracing, type OpenSpan, type SpanOptions } from './trace.ts'

/** What names a trace elsewhere. Source: W3C Trace Context, §3.2.2; a version that is not known may be longer. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/

/** Asked every few seconds, for as long as the process runs. */
const UNTRACED = new Set(['probe', 'metrics'])
/** Of no use in minutes, which is how long it is open. */
const STREAM = 'text/event-stream'

const spans = new WeakMap<FastifyRequest, OpenSpan>()

/**
 * Makes a trace of each request but probes, files and streams. One that a trusted proxy began goes on; who else names a trace
 * gets one of its own that is linked to it, since a stranger may choose neither what is recorded nor in which trace. Call it
 * before other hooks; does nothing while tracing is off.
 * @param isProxy whose headers are believed
 * @param isFile is it a file that is sent as it is?
 */
export function traceRequests(
  app: FastifyInstance,
  isProxy: (address: string | undefined) => boolean,
  isFile: (request: FastifyRequest) => boolean,
): void {
  if (!isTracing()) return
  app.addHook('onRequest', (request, reply, done) => {
    const { url = 'none', route } = request.matched
    if ((route && UNTRACED.has(route.limits)) || route?.responses[200] === STREAM || isFile(request))
      return done()
    const { method } = request
    const span = beginSpan(`${method} ${url}`, {
      kind: 'server',
      attributes: { 'http.request.method': method, 'http.route': url, 'befaqt.request': String(request.id) },
      ...causeOf(request, isProxy),
    })
    if (span === undefined) return done()
    spans.set(request, span)
    reply.raw.once('close', () => {
      const { statusCode, writableFinished } = reply.raw
      const name = url.endsWith('*') && statusCode !== 404 ? pageOf(request.url) : url
      span.name(`${method} ${name}`)
      span.set({ 'http.response.status_code': statusCode, 'http.route': name })
      if (!writableFinished) span.set({ 'befaqt.gave_up': true })
      if (statusCode >= 500) span.fail()
      span.end()
    })
    span.run(done)
  })
  app.addHook('onError', (request, _reply, error, done) => {
    if (!(error instanceof ShopError)) spans.get(request)?.fail(error)
    done()
  })
}

function causeOf(
  { headers, raw }: FastifyRequest,
  isProxy: (address: string | undefined) => boolean,
): Pick<SpanOptions, 'parent' | 'links'> {
  const { traceparent } = headers
  if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent)) return { parent: null }
  return isProxy(raw.socket.remoteAddress) ? { parent: traceparent } : { parent: null, links: [traceparent] }
}

/** Parts of pages' paths that are words of ours. What else stands in one may be an id, a title or a token. */
const WORDS = new Set(
  (
    'product category cart checkout favourites station SFMBox byId check about field entry reading labels ' +
    'user activate email firstadmin forgotpassword notice order profile resetpassword restore signin signup staff ' +
    'manage box slot pack report site customer supplier device excursion trade webhook key mail coupon schedule complaint'
  ).split(' '),
)

/** The path of a page with `:id` for what is no word of ours, and never its query. */
export const pageOf = (url: string): string =>
  (url.split('?', 1)[0] ?? '')
    .split('/')
    .slice(0, 8)
    .map((part) => (part === '' || WORDS.has(part) ? part : ':id'))
    .join('/')
