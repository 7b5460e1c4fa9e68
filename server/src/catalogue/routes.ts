import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '#server/deps.ts'
import { type ReadyAnswer, readyAnswer, sendReady } from '#server/http/answer.ts'
import { FreshCache } from '#server/http/fresh-cache.ts'
import type { Snapshot } from './snapshot.ts'

/** Browsers keep an answer but ask each time whether it still holds: a changed price is in the next answer. */
const ASK_AGAIN = 'no-cache'
/** One entry per product and category, and the lists. */
const KEPT_ANSWERS = 12_000

/** The reading calls of spec §7, answered from ready compressed bytes. */
export function catalogueRoutes(app: FastifyInstance, deps: Deps): void {
  const answers = new FreshCache<ReadyAnswer>(KEPT_ANSWERS)
  deps.catalogue.onChange(() => answers.clear())

  const answer =
    (pick: (snapshot: Snapshot, param: string) => unknown) =>
    async (request: FastifyRequest<{ Params: Record<string, string> }>, reply: FastifyReply) => {
      const snapshot = await deps.catalogue.snapshot()
      const picked = pick(snapshot, Object.values(request.params)[0] ?? '')
      const key = request.url.split('?', 1)[0] ?? ''
      const make = () => readyAnswer(JSON.stringify(picked), 'application/json; charset=utf-8')
      return sendReady(request, reply, await answers.get(key, make), ASK_AGAIN)
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
