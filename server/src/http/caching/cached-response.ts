import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding, compressStatic } from './compression.ts'

/** A response made once and sent many times: its body, plain and compressed, with its ETag. */
export type CachedResponse = {
  status: number
  type: string
  etag: string
  plain: Buffer
  br: Buffer
  gzip: Buffer
}

/** Compresses `body` for a cache; responses that are sent once are compressed in compression.ts. */
export async function cachedResponse(
  body: string | Buffer,
  type: string,
  status = 200,
): Promise<CachedResponse> {
  const plain = typeof body === 'string' ? Buffer.from(body) : body
  const [br, gzip] = await Promise.all([compressStatic(plain, 'br'), compressStatic(plain, 'gzip')])
  return { status, type, etag: etagOf(plain), plain, br, gzip }
}

/** Bytes in memory. */
export const sizeOf = ({ plain, br, gzip }: CachedResponse): number => plain.length + br.length + gzip.length

/** Weak, since the same body is sent in several encodings. Source: RFC 9110 §8.8.1. */
const etagOf = (bytes: Uint8Array): string => `W/"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`

/** Does the client have this version already? */
const isNotModified = (request: FastifyRequest, etag: string): boolean =>
  request.headers['if-none-match']?.includes(etag) === true

/** Sends a cached response in the best encoding that the client accepts, or 304 when the client has it already. */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: CachedResponse,
  cacheControl: string,
) {
  reply
    .header('etag', answer.etag)
    .header('cache-control', cacheControl)
    .header('vary', 'accept-encoding, cookie')
  if (answer.status === 200 && isNotModified(request, answer.etag)) return reply.code(304).send()
  const encoding = acceptedEncoding(request.headers['accept-encoding'], 'static')
  reply.code(answer.status).header('content-type', answer.type)
  if (encoding === undefined) return reply.send(answer.plain)
  return reply.header('content-encoding', encoding).send(answer[encoding])
}

/** Sends JSON text that a client may keep but has to revalidate each time, or 304 when it has it already. */
export function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
  type = 'application/json; charset=utf-8',
): FastifyReply {
  const bytes = Buffer.from(text) // once: hashing, packing and sending would each make them of a text
  const etag = etagOf(bytes)
  reply.header('etag', etag).header('cache-control', 'no-cache').header('vary', 'accept-encoding, cookie')
  if (isNotModified(request, etag)) return reply.code(304).send()
  return reply.type(type).send(bytes)
}
