import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** An answer made once and sent many times: its bytes as they are and compressed, with their ETag. */
export type ReadyAnswer = {
  status: number
  type: string
  etag: string
  plain: Buffer
  br: Buffer
  gzip: Buffer
}

const compressBr = promisify(brotliCompress)
const compressGzip = promisify(gzip)
const BROTLI_QUALITY = 6

/** Compresses `body` for keeping. */
export async function readyAnswer(body: string, type: string, status = 200): Promise<ReadyAnswer> {
  const plain = Buffer.from(body)
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
  const [br, gz] = await Promise.all([compressBr(plain, { params }), compressGzip(plain)])
  return { status, type, etag: etagOf(plain), plain, br, gzip: gz }
}

/** Weak, since the same answer goes out in several encodings. Source: RFC 9110 §8.8.1. */
export const etagOf = (bytes: Uint8Array): string =>
  `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`

/** Sends a kept answer in the best encoding that the client takes, or 304 when the client has it already. */
export function sendReady(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: ReadyAnswer,
  cacheControl: string,
) {
  reply
    .header('etag', answer.etag)
    .header('cache-control', cacheControl)
    .header('vary', 'accept-encoding, cookie')
  if (answer.status === 200 && request.headers['if-none-match']?.includes(answer.etag))
    return reply.code(304).send()
  const takes = request.headers['accept-encoding'] ?? ''
  reply.code(answer.status).header('content-type', answer.type)
  if (takes.includes('br')) return reply.header('content-encoding', 'br').send(answer.br)
  if (takes.includes('gzip')) return reply.header('content-encoding', 'gzip').send(answer.gzip)
  return reply.send(answer.plain)
}
