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

/** JSON responses, compressed and cached from the second request of a version on; a newer version replaces it. */
export class JsonCache {
  readonly #responses: InvalidatingCache<CachedResponse>
  readonly #doorkeeper = new Doorkeeper(DOORKEEPER_KEYS)
  /** The cached version of each resource, least recently replaced first. */
  readonly #versions = new Map<string, string>()

  /** @param capacity bytes of the cached responses, each of them plain, as Brotli and as gzip */
  constructor(capacity: number) {
    this.#responses = new InvalidatingCache(capacity, sizeOf)
  }

  /**
   * Sends a version of a resource, or 304 when the client has it already.
   * @param make returns JSON text no older than the version
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    { resource, version }: { resource: string; version: string },
    make: () => Promise<string>,
  ): Promise<FastifyReply> {
    const key = `${resource} ${version}`
    if (this.#doorkeeper.admit(key)) {
      this.#replace(resource, key)
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
    this.#versions.clear()
  }

  /** Drops the version that was cached before. */
  #replace(resource: string, key: string): void {
    const before = this.#versions.get(resource)
    if (before === key) return
    if (before !== undefined) this.#responses.delete(before)
    this.#versions.delete(resource)
    this.#versions.set(resource, key)
    const [oldest] = this.#versions.keys()
    if (oldest !== undefined && this.#versions.size > DOORKEEPER_KEYS) this.#versions.delete(oldest)
  }
}
