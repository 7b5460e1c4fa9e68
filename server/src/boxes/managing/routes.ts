import { CorrectionInput, Registration } from '@befaqt/domain/box-input'
import { notAfter } from '@befaqt/domain/not-after'
import type { FastifyInstance } from 'fastify'
import { boxIDOf } from '#server/boxes/box-id-of.ts'
import { correctRecord } from '#server/boxes/records/correct-record.ts'
import { addCatch, NewCatch, registerBox } from '#server/boxes/records/register-box.ts'
import { SealInput, sealBox } from '#server/boxes/records/seal-box.ts'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { boxesOf, mayTouchBox } from '#server/identity/principal.ts'
import { linkProducts, ProductLinks } from './link-products.ts'
import { listManagedBoxes, ManageBoxQuery } from './list-managed-boxes.ts'
import { managedBox } from './managed-box.ts'

type WithBox = { Params: { boxID: string } }

/** Managing boxes: lists, records by hand, links to products. */
export function boxManageRoutes(app: FastifyInstance, deps: Deps): void {
  app.get('/api/manage/box', (request) =>
    listManagedBoxes(deps.db, parse(ManageBoxQuery, request.query), deps.now(), boxesOf(request.asker)),
  )
  app.get<WithBox>('/api/manage/box/:boxID', (request) =>
    managedBox(deps.db, boxIDOf(request.params, request.asker), deps.now()),
  )
  app.post('/api/box/registration', async (request, reply) => {
    const input = parse(Registration, request.body)
    mayTouchBox(request.asker, input.boxID)
    await registerBox(deps, request.asker, input)
    return reply.code(201).send({ boxID: input.boxID })
  })
  app.post<WithBox>('/api/box/:boxID/catch', async (request, reply) => {
    const boxID = boxIDOf(request.params, request.asker)
    const data = parse(
      notAfter(NewCatch, { now: deps.now(), timeZone: deps.siteFile.market.timeZone }),
      request.body,
    )
    return reply.code(201).send({ seq: await addCatch(deps, request.asker, boxID, data) })
  })
  app.post<WithBox>('/api/box/:boxID/correction', async (request, reply) => {
    const boxID = boxIDOf(request.params, request.asker)
    const input = parse(CorrectionInput, request.body)
    return reply.code(201).send({ seq: await correctRecord(deps, request.asker, boxID, input) })
  })
  app.post<WithBox>('/api/box/:boxID/seal', async (request, reply) => {
    const boxID = boxIDOf(request.params, request.asker)
    const { reason } = parse(SealInput, request.body ?? {})
    return reply.code(201).send({ seq: await sealBox(deps, request.asker, boxID, reason) })
  })
  app.put<WithBox>('/api/box/:boxID/products', async (request) => {
    const boxID = boxIDOf(request.params, request.asker)
    const links = parse(ProductLinks, request.body)
    await linkProducts(deps, request.asker, boxID, links)
    return links
  })
}
