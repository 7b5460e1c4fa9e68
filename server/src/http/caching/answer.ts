import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding, compress } from './encoding.ts'

/** An answer made once and sent many times: its bytes as they are and compressed, with their ETag. */
export type ReadyAnswer = {
  status: number
  type: string
  etag: string
  plain: Buffer
  br: Buffer
  gzip: Buffer
}

/** Compresses `body` for keeping; what is sent once is compressed on its way out (compress-answers.ts). */
export async function readyAnswer(body: string, type: string, status = 200): Promise<ReadyAnswer> {
  const plain = Buffer.from(body)
  const [br, gzip] = await Promise.all([compress(plain, 'br', 'keeping'), compress(plain, 'gzip', 'keeping')])
  return { status, type, etag: etagOf(plain), plain, br, gzip }
}

/** What a kept answer takes in memory. */
export const bytesOf = ({ plain, br, gzip }: ReadyAnswer): number => plain.length + br.length + gzip.length

/** Weak, since the same answer goes out in several encodings. Source: RFC 9110 §8.8.1. */
export const etagOf = (bytes: Uint8Array | string): string =>
  `W/"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`

/** Does the client say that it has this answer already? */
export const hasAlready = (request: FastifyRequest, etag: string): boolean =>
  request.headers['if-none-match']?.includes(etag) === true

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
  if (answer.status === 200 && hasAlready(request, answer.etag)) return reply.code(304).send()
  const encoding = acceptedEncoding(request.headers['accept-encoding'])
  reply.code(answer.status).header('content-type', answer.type)
  if (encoding === undefined) return reply.send(answer.plain)
  return reply.header('content-encoding', encoding).send(answer[encoding])
}
