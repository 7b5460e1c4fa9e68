import { boxSchema } from '@befaqt/domain/box'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { mayTouchBox, whoOf } from '#server/identity/principal.ts'
import { boxAnswers } from './box-answers.ts'
import { boxIDOf } from './box-id-of.ts'
import { boxLabel } from './box-label.ts'
import { listBoxes } from './list-boxes.ts'
import { importBox } from './records/import-box.ts'

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

/** Boxes: whole ones in and out, lists, pages, proofs and labels. Source: running.md 'Box interchange'. */
export function boxRoutes(app: FastifyInstance, deps: Deps): void {
  const answers = boxAnswers(deps)

  app.get('/api/box', (request) => listBoxes(deps.db, parse(Page, request.query)))

  app.post('/api/box', async (request, reply) => {
    const now = deps.now()
    const box = parse(boxSchema({ now, timeZone: deps.siteFile.market.timeZone }), request.body)
    mayTouchBox(request.asker, box.boxID)
    const done = await deps.db.transaction((tx) =>
      importBox(tx, box, { by: whoOf(request.asker), now, market: deps.siteFile.market }),
    )
    return reply.code(done === 'created' ? 201 : 200).send({ boxID: box.boxID })
  })

  app.get<BoxParams>('/api/box/:boxID', (request, reply) =>
    answers.box(request, reply, boxIDOf(request.params)),
  )
  app.get<BoxParams>('/api/box/:boxID/page', (request, reply) =>
    answers.page(request, reply, boxIDOf(request.params)),
  )

  app.get<BoxParams & { Querystring: { download?: string } }>(
    '/api/box/:boxID/proof',
    async (request, reply) => {
      const boxID = boxIDOf(request.params)
      if (request.query.download !== undefined)
        reply.header('content-disposition', `attachment; filename="box-${boxID}.proof.json"`)
      return answers.proof(request, reply, boxID)
    },
  )

  app.get<BoxParams>('/api/box/:boxID/label.svg', async (request, reply) =>
    reply
      .type('image/svg+xml; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(await boxLabel(deps, boxIDOf(request.params))),
  )
}
