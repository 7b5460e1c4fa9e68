import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, isNotModified } from './cached-response.ts'

/** Sends JSON text that a client may keep but has to revalidate each time, or 304 when it has it already. */
export function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
  type = 'application/json; charset=utf-8',
): FastifyReply {
  const etag = etagOf(text)
  reply.header('etag', etag).header('cache-control', 'no-cache').header('vary', 'accept-encoding, cookie')
  if (isNotModified(request, etag)) return reply.code(304).send()
  return reply.type(type).send(text)
}
