import { boxSchema } from '@befaqt/domain/box'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { mayTouchBox, whoOf } from '#server/auth/asker.ts'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { boxApi } from './box-api.ts'
import { boxIDOf } from './box-id-of.ts'
import { importBox } from './import-box.ts'
import { listBoxes } from './list-boxes.ts'
import { proofBundle, treeCache } from './proof-bundle.ts'
import { readWholeBox } from './whole-box.ts'

/** Bytes of a whole Box: 20,000 readings and their results fit. */
const BOX_LIMIT = 8 * 1024 * 1024

const Page = z.object({
  page: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(1_000_000, 'must be at most 1000000')
    .default(1),
  size: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(100, 'must be at most 100')
    .default(20),
  q: z.string().max(100).default(''),
})

type BoxParams = { Params: { boxID: string } }

/** Boxes: whole ones in and out, lists, pages and proofs. Source: running.md 'Box interchange'. */
export function boxRoutes(app: FastifyInstance, deps: Deps): void {
  const trees = treeCache()
  const api = boxApi(deps)

  app.get('/api/box', (request) => listBoxes(deps.db, parse(Page, request.query)))

  app.post('/api/box', { bodyLimit: BOX_LIMIT }, async (request, reply) => {
    const now = deps.now()
    const box = parse(boxSchema({ now }), request.body)
    mayTouchBox(request.asker, box.boxID)
    const done = await deps.db.transaction((tx) =>
      importBox(tx, box, { by: whoOf(request.asker), now, market: deps.siteFile.market }),
    )
    if (done === 'created') deps.catalogue.changed()
    return reply.code(done === 'created' ? 201 : 200).send({ boxID: box.boxID })
  })

  app.get<BoxParams>('/api/box/:boxID', async (request) => {
    const { box } = await readWholeBox(deps.db, boxIDOf(request.params))
    return box
  })
  app.get<BoxParams>('/api/box/:boxID/page', (request) => api.boxPage(boxIDOf(request.params)))

  app.get<BoxParams & { Querystring: { download?: string } }>(
    '/api/box/:boxID/proof',
    async (request, reply) => {
      const boxID = boxIDOf(request.params)
      const bundle = await proofBundle(deps, trees, boxID)
      if (request.query.download !== undefined)
        reply.header('content-disposition', `attachment; filename="box-${boxID}.proof.json"`)
      return reply.header('cache-control', 'no-cache').send(bundle)
    },
  )
}
