import type { FastifyInstance, FastifyReply } from 'fastify'
import { acceptedEncoding, compress } from './encoding.ts'

/** Texts that shrink; pictures and films are compressed as they are. */
const TEXT = /^(?:text\/|image\/svg\+xml|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/
/** Below this many bytes an answer fits one network packet as it is. */
const WORTH_IT = 1_024

/**
 * Compresses what a handler made for this one request: once, in the coding that the client takes, at a low level.
 * Streams go out as they are, and so does what was compressed before.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
    if (payload.length < WORTH_IT || !isPlainText(reply)) return payload
    varies(reply)
    const encoding = acceptedEncoding(request.headers['accept-encoding'])
    if (encoding === undefined) return payload
    reply.removeHeader('content-length').header('content-encoding', encoding)
    const plain = typeof payload === 'string' ? Buffer.from(payload) : payload
    return compress(plain, encoding, 'sending')
  })
}

/** Part of a file (206) stays as its range was asked for. */
const isPlainText = (reply: FastifyReply): boolean =>
  TEXT.test(String(reply.getHeader('content-type'))) &&
  !reply.hasHeader('content-encoding') &&
  reply.statusCode !== 206

/** Keeps caches on the way from handing one client's coding to another. */
function varies(reply: FastifyReply): void {
  const named = String(reply.getHeader('vary') ?? '')
  if (named.includes('accept-encoding')) return
  reply.header('vary', named === '' ? 'accept-encoding' : `${named}, accept-encoding`)
}
