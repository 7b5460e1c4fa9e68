import { channel } from 'node:diagnostics_channel'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { beginPart, currentSpan, type OpenSpan } from './trace.ts'

/** What Node's `fetch` tells of a call. Source: undici, DiagnosticsChannel. */
type FetchCall = { origin: string | URL; method: string; addHeader(name: string, value: string): unknown }

const TRACEPARENT = 'traceparent'

/**
 * Makes a span of each call to another machine, by `fetch` or `node:http`, whatever library makes it, until its answer
 * begins, and sends the trace along. Of the address only host and port are kept: paths and queries hold keys and tokens.
 * @param mayTell is false while the collector itself is called
 * @returns a function that stops it
 */
export function traceOutgoingCalls(mayTell: () => boolean): () => void {
  const spans = new WeakMap<object, OpenSpan>()
  const begin = (call: object, method: string, target: URL, send: (traceparent: string) => void): void => {
    if (!mayTell() || currentSpan() === undefined) return
    const { protocol, hostname } = target
    const port = Number(target.port) || (protocol === 'https:' ? 443 : 80)
    const attributes = { 'http.request.method': method, 'server.address': hostname, 'server.port': port }
    const span = beginPart(`${method} ${hostname}`, { kind: 'client', attributes })
    if (span === undefined) return
    spans.set(call, span)
    send(span.traceparent)
  }
  const answered = (call: object, status: number): void => {
    const span = spans.get(call)
    span?.set({ 'http.response.status_code': status })
    if (status >= 400) span?.fail()
    span?.end()
  }
  const failed = (call: object, error: unknown): void => {
    const span = spans.get(call)
    span?.fail(error)
    span?.end()
  }
  const stops = [
    heard<{ request: FetchCall }>('undici:request:create', ({ request }) =>
      begin(request, request.method, new URL(request.origin), (value) =>
        request.addHeader(TRACEPARENT, value),
      ),
    ),
    heard<{ request: object; response: { statusCode: number } }>(
      'undici:request:headers',
      ({ request, response }) => answered(request, response.statusCode),
    ),
    heard<{ request: object; error: unknown }>('undici:request:error', ({ request, error }) =>
      failed(request, error),
    ),
    heard<{ request: ClientRequest }>('http.client.request.created', ({ request }) => {
      const target = URL.parse(`${request.protocol}//${request.getHeader('host') ?? request.host}`)
      if (target !== null)
        begin(request, request.method, target, (value) => {
          if (!request.headersSent) request.setHeader(TRACEPARENT, value)
        })
    }),
    heard<{ request: ClientRequest; response: IncomingMessage }>(
      'http.client.response.finish',
      ({ request, response }) => answered(request, response.statusCode ?? 0),
    ),
    heard<{ request: ClientRequest; error: unknown }>('http.client.request.error', ({ request, error }) =>
      failed(request, error),
    ),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Listens to a channel of Node. Nothing that goes wrong here may end the call that it is about. */
function heard<Message>(name: string, hear: (message: Message) => void): () => void {
  const listener = (message: unknown): void => {
    try {
      hear(message as Message)
    } catch {
      // a call without a span
    }
  }
  channel(name).subscribe(listener)
  return () => void channel(name).unsubscribe(listener)
}
