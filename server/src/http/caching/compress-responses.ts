import type { FastifyInstance, FastifyReply } from 'fastify'
import { acceptedEncoding, compressDynamic } from './encoding.ts'

/** Compressible media types; images and video are compressed already. */
const TEXT = /^(?:text\/|image\/svg\+xml|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/
/** A smaller response fits one network packet as it is. */
const MIN_BYTES = 1_024

/**
 * Compresses what a handler made for this one request, in the coding that the client accepts, at a low level. Streams
 * and responses that have a coding already are sent as they are.
 */
export function compressResponses(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done()
    if (payload.length < MIN_BYTES || !isPlainText(reply)) return done()
    addVaryEncoding(reply)
    const encoding = acceptedEncoding(request.headers['accept-encoding'], 'dynamic')
    if (encoding === undefined) return done()
    reply.removeHeader('content-length').header('content-encoding', encoding)
    const plain = typeof payload === 'string' ? Buffer.from(payload) : payload
    Promise.resolve(compressDynamic(plain, encoding)).then((packed) => done(null, packed), done)
  })
}

/** Partial content (206) is sent in the range that was requested. */
const isPlainText = (reply: FastifyReply): boolean =>
  !reply.hasHeader('content-encoding') &&
  reply.statusCode !== 206 &&
  TEXT.test(String(reply.getHeader('content-type')))

/** Stops shared caches from serving one client's coding to another. */
function addVaryEncoding(reply: FastifyReply): void {
  const named = String(reply.getHeader('vary') ?? '')
  if (named.includes('accept-encoding')) return
  reply.header('vary', named === '' ? 'accept-encoding' : `${named}, accept-encoding`)
}
