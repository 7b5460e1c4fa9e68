import { ShopError } from '@befaqt/domain/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bodyOf } from './errors.ts'
import { isCall } from './is-call.ts'

/** For what no route answers. */
export const unknownAddress = (): ShopError => new ShopError('not_found', 'There is nothing at this address.')

/** Calls that are not there answer like every refused call; without this, `/api/…` would be taken for a page. */
export function refuseUnknownCalls(app: FastifyInstance): void {
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(bodyOf(unknownAddress())))
}

/** @throws ShopError `not_found` for an address under /api that no route has */
export function refuseIfCall(url: string): void {
  if (isCall(url)) throw unknownAddress()
}

/** Answers addresses whose percent-encoding can't be read, which reach no route. Source: RFC 3986 §2.1. */
export function refuseUnreadable(error: Error, _request: FastifyRequest, reply: FastifyReply): void {
  const refusal = new ShopError('input.invalid', 'This address cannot be read.', { cause: error })
  void reply.code(refusal.status).send(bodyOf(refusal))
}
