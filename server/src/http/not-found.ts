import { ShopError } from '@befaqt/domain/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isApiPath } from './api-path.ts'
import { errorBody } from './errors.ts'

/** The error for a URL without a route. */
export const notFound = (): ShopError => new ShopError('not_found', 'There is nothing at this address.')

/** Unknown API paths answer a JSON error like any other; without this, `/api/…` would be served as a page. */
export function handleNotFound(app: FastifyInstance): void {
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(errorBody(notFound())))
}

/** @throws ShopError `not_found` for a URL under /api without a route */
export function rejectUnknownApiPath(url: string): void {
  if (isApiPath(url)) throw notFound()
}

/** Rejects URLs with malformed percent-encoding, which reach no route. Source: RFC 3986 §2.1. */
export function rejectMalformedUrl(error: Error, _request: FastifyRequest, reply: FastifyReply): void {
  const rejection = new ShopError('input.invalid', 'This address cannot be read.', { cause: error })
  void reply.code(rejection.status).send(errorBody(rejection))
}
