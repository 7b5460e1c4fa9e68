import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type CachedResponse,
  cachedResponse,
  etagOf,
  isNotModified,
  sendCached,
  sizeOf,
} from './cached-response.ts'
import { Doorkeeper } from './doorkeeper.ts'
import { InvalidatingCache } from './invalidating-cache.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
/** A client may cache a response but has to revalidate it each time. */
const REVALIDATE = 'no-cache'
const DOORKEEPER_KEYS = 4_000

/** JSON responses, compressed and cached from their second request on. */
export class JsonCache {
  readonly #responses: InvalidatingCache<CachedResponse>
  readonly #doorkeeper = new Doorkeeper(DOORKEEPER_KEYS)

  /** @param capacity bytes of the cached responses, each of them plain, as Brotli and as gzip */
  constructor(capacity: number) {
    this.#responses = new InvalidatingCache(capacity, sizeOf)
  }

  /**
   * Sends the response of `key`, or 304 when the client has it already.
   * @param key identifies one version of a resource
   * @param make returns JSON text no older than the key
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    make: () => Promise<string>,
  ): Promise<FastifyReply> {
    if (this.#doorkeeper.admit(key)) {
      const response = await this.#responses.get(key, async () => cachedResponse(await make(), JSON_TYPE))
      return sendCached(request, reply, response, REVALIDATE)
    }
    const text = await make()
    const etag = etagOf(text)
    reply.header('etag', etag).header('cache-control', REVALIDATE).header('vary', 'accept-encoding, cookie')
    return isNotModified(request, etag) ? reply.code(304).send() : reply.type(JSON_TYPE).send(text)
  }

  clear(): void {
    this.#responses.clear()
  }
}
