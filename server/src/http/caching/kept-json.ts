import type { FastifyReply, FastifyRequest } from 'fastify'
import { bytesOf, etagOf, hasAlready, type ReadyAnswer, readyAnswer, sendReady } from './answer.ts'
import { AskedBefore } from './asked-before.ts'
import { FreshCache } from './fresh-cache.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
/** A client may keep an answer but asks each time whether it still holds. */
const ASK_AGAIN = 'no-cache'
const REMEMBERED = 4_000

/** JSON answers, each compressed and kept from the second time that it is asked for. */
export class KeptJson {
  readonly #ready: FreshCache<ReadyAnswer>
  readonly #asked = new AskedBefore(REMEMBERED)

  /** @param capacity bytes of what is kept, each answer as it is, as brotli and as gzip */
  constructor(capacity: number) {
    this.#ready = new FreshCache(capacity, bytesOf)
  }

  /**
   * Sends the answer of `key`, or 304 when the client has it already.
   * @param key names one state of what is asked for: another state has another key
   * @param make answers JSON text, no older than the key
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    key: string,
    make: () => Promise<string>,
  ): Promise<FastifyReply> {
    if (this.#asked.ask(key)) {
      const ready = await this.#ready.get(key, async () => readyAnswer(await make(), JSON_TYPE))
      return sendReady(request, reply, ready, ASK_AGAIN)
    }
    const text = await make()
    const etag = etagOf(text)
    reply.header('etag', etag).header('cache-control', ASK_AGAIN).header('vary', 'accept-encoding, cookie')
    return hasAlready(request, etag) ? reply.code(304).send() : reply.type(JSON_TYPE).send(text)
  }

  clear(): void {
    this.#ready.clear()
  }
}
