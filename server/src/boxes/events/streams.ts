import * as endpoints from '@befaqt/domain/api/endpoints/box-page'
import { ShopError } from '@befaqt/domain/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { boxIDOf } from '#server/boxes/box-access.ts'
import { clientNetwork } from '#server/http/client-network.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import type { BoxEvents } from './box-events.ts'
import { PositionText, readPosition } from './news.ts'

const boxEventOperations = defineRoutes(endpoints, {
  followBox: {
    access: 'public',
    limits: 'stream',
    summary:
      'Server-sent events: `record` for each new record, as proofs hold it, and `anchor` when one is confirmed in which the box has grown.',
    query: z.object({
      after: PositionText.optional().describe(
        'the id of the last event that was heard, as Last-Event-ID is; without it: what comes from now on',
      ),
    }),
    responses: { 200: 'text/event-stream' },
    errors: [409],
  },
})

/** The news of a box while it is followed. Source: running.md 'Records from the field'. */
export function boxEventRoutes(app: FastifyInstance, deps: EventStreamDeps): void {
  const streams = eventStreams(app, deps)
  registerRoute(app, boxEventOperations.followBox, ({ params, query, request, reply }) =>
    streams.open(request, reply, boxIDOf(params), query.after),
  )
}

/** What streams are made of. */
type EventStreamDeps = { boxEvents: BoxEvents }

/** Open streams of this process, and of one network: a market's visitors share one. */
const MAX_STREAMS = 2_000
const MAX_PER_NETWORK = 64
/** Without news, so that proxies keep the connection and both ends notice when it is gone. */
const HEARTBEAT_MS = 15_000
const HEARTBEAT = Buffer.from(':\n\n')
/** A stream ends after ten to fifteen minutes; the browser reconnects, perhaps to another process. */
const LIFETIME_MS = 600_000
const LIFETIME_SPREAD_MS = 300_000
/** How long a browser waits before it reconnects. */
const RECONNECT_MS = 2_000
/** Bytes that a client has not read yet; one that lags further is disconnected, and requests what it missed. */
const MAX_BACKLOG_BYTES = 1_048_576

/** `end` again cuts off a client that has not taken what was written before the first. */
type Stream = { write(bytes: Buffer | string): void; end(): void; endsAt: number }

type OpenStreams = {
  /** Answers with the news of a box. Resolves when the stream has begun. @throws ShopError as `BoxEvents.add` rejects */
  open(request: FastifyRequest, reply: FastifyReply, boxID: string, after?: string): Promise<FastifyReply>
}

/** The event streams of a process, which end when it stops. Source: HTML Standard §9.2, running.md. */
function eventStreams(app: FastifyInstance, { boxEvents }: EventStreamDeps): OpenStreams {
  const streams = new Set<Stream>()
  const perNetwork = new Map<string, number>()
  const timer = setInterval(() => beat(streams), HEARTBEAT_MS).unref()
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
    clearInterval(timer)
    for (const stream of streams) stream.end()
  })

  /** Counts a stream of a network. Returns a function that ends the count. */
  function admit(network: string): () => void {
    const count = perNetwork.get(network) ?? 0
    if (isStopping) throw new ShopError('unavailable', 'This server is stopping. Please try again.')
    if (count >= MAX_PER_NETWORK) throw tooMany('too many pages of this network follow boxes')
    if (total(perNetwork) >= MAX_STREAMS) throw new ShopError('unavailable', BUSY)
    perNetwork.set(network, count + 1)
    return () => {
      const left = (perNetwork.get(network) ?? 1) - 1
      if (left > 0) perNetwork.set(network, left)
      else perNetwork.delete(network)
    }
  }

  return {
    open: async (request, reply, boxID, after) => {
      if (request.method === 'HEAD') return reply.type(EVENT_STREAM).send()
      const leave = admit(clientNetwork(request.ip))
      const { promise: begun, resolve, reject } = Promise.withResolvers<void>()
      let stream: Stream | undefined
      const unfollow = boxEvents.add({
        boxID,
        from: positionIn(request, after),
        begin: (text) => {
          stream = beginStream(request, reply)
          stream.write(`retry: ${RECONNECT_MS}\n\n${text}`)
          streams.add(stream)
          if (isStopping) stream.end()
          resolve()
        },
        reject,
        send: (bytes) => stream?.write(bytes),
      })
      const end = (): void => {
        unfollow()
        leave()
        if (stream !== undefined) streams.delete(stream)
        resolve()
      }
      request.raw.socket.destroyed ? end() : reply.raw.once('close', end)
      await begun.catch((error: unknown) => {
        reply.raw.removeListener('close', end)
        end()
        throw error
      })
      if (!reply.sent) reply.hijack() // gone before it began
      return reply
    },
  }
}

const EVENT_STREAM = 'text/event-stream; charset=utf-8'
const BUSY = 'As many pages follow boxes as this server can serve. The page itself is there without it.'

const tooMany = (what: string): ShopError =>
  new ShopError('rate.limited', `Not now: ${what}.`, { details: { retryAfterS: 30 } })

const total = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

/** A browser that reconnects sends the last event id it received; one that connects, that of its page. */
function positionIn({ headers }: FastifyRequest, after: string | undefined) {
  const header = headers['last-event-id']
  const last = typeof header === 'string' ? readPosition(header) : undefined
  return last ?? (after === undefined ? null : (readPosition(after) ?? null))
}

/** Sends the headers, and from then on what is written, uncompressed. */
function beginStream(request: FastifyRequest, reply: FastifyReply): Stream {
  reply.type(EVENT_STREAM).header('cache-control', 'no-store, no-transform').header('x-accel-buffering', 'no')
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, reply.getHeaders() as Record<string, string>)
  request.raw.socket.setNoDelay(true)
  return {
    endsAt: performance.now() + LIFETIME_MS + Math.random() * LIFETIME_SPREAD_MS,
    write: (bytes) => {
      if (raw.writableEnded) return // a second write after the end would end the process
      if (raw.writableLength > MAX_BACKLOG_BYTES) raw.destroy()
      else raw.write(bytes)
    },
    end: () => void (raw.writableEnded ? raw.destroy() : raw.end()),
  }
}

function beat(streams: ReadonlySet<Stream>): void {
  const now = performance.now()
  for (const stream of streams) {
    if (now > stream.endsAt) stream.end()
    else stream.write(HEARTBEAT)
  }
}
