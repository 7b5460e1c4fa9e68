import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { type ReadyAnswer, readyAnswer, sendReady } from '#server/http/caching/answer.ts'
import type { Snapshot } from './snapshot.ts'

/** Browsers keep an answer but ask each time whether it still holds: a changed price is in the next answer. */
const ASK_AGAIN = 'no-cache'

/**
 * The reading calls of spec §7, answered from ready compressed bytes. An answer is kept with the part of the snapshot
 * that it shows, whatever the address was spelt like, and goes when the snapshot does.
 */
export function catalogueRoutes(app: FastifyInstance, deps: Deps): void {
  const answers = new WeakMap<object, Promise<ReadyAnswer>>()

  function answerOf(picked: object): Promise<ReadyAnswer> {
    const kept = answers.get(picked)
    if (kept !== undefined) return kept
    const made = readyAnswer(JSON.stringify(picked), 'application/json; charset=utf-8')
    answers.set(picked, made)
    made.catch(() => answers.delete(picked))
    return made
  }

  const answer =
    (pick: (snapshot: Snapshot, param: string) => object) =>
    async (request: FastifyRequest<{ Params: Record<string, string> }>, reply: FastifyReply) => {
      const snapshot = await deps.catalogue.snapshot()
      const picked = pick(snapshot, Object.values(request.params)[0] ?? '')
      return sendReady(request, reply, await answerOf(picked), ASK_AGAIN)
    }

  app.get(
    '/api/product/active',
    answer((snapshot) => snapshot.products),
  )
  app.get(
    '/api/category/active',
    answer((snapshot) => snapshot.categories),
  )
  app.get(
    '/api/category/byTitle/:catTitle',
    answer((snapshot, title) => snapshot.categoryByTitle(title)),
  )
  app.get(
    '/api/product/byCategory/:id',
    answer((snapshot, id) => snapshot.productsOf(id)),
  )
  app.get(
    '/api/product/:id',
    answer((snapshot, id) => snapshot.product(id)),
  )
}
