import { paged } from '@befaqt/domain/api/box-api'
import { ManagedBox, ManagedBoxDetail } from '@befaqt/domain/api/manage-api'
import { CorrectionInput, Registration } from '@befaqt/domain/box-input'
import { notAfter } from '@befaqt/domain/not-after'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { boxIDOf } from '#server/boxes/box-id-of.ts'
import { correctRecord } from '#server/boxes/records/correct-record.ts'
import { addCatch, NewCatch, registerBox } from '#server/boxes/records/register-box.ts'
import { SealInput, sealBox } from '#server/boxes/records/seal-box.ts'
import type { Deps } from '#server/deps.ts'
import { parse } from '#server/http/errors.ts'
import { defineRoutes, serve, unread } from '#server/http/route.ts'
import { boxesOf, mayTouchBox } from '#server/identity/principal.ts'
import { linkProducts, ProductLinks } from './link-products.ts'
import { listManagedBoxes, ManageBoxQuery } from './list-managed-boxes.ts'
import { managedBox } from './managed-box.ts'

const read = { method: 'GET', access: { right: 'box:write' }, limits: 'manage-read' } as const
const write = { access: { right: 'box:write' }, limits: 'manage-write' } as const
const Added = z.strictObject({ seq: z.int() })

export const boxManageCalls = defineRoutes({
  listManagedBoxes: {
    ...read,
    url: '/api/manage/box',
    summary:
      'Boxes with where they are, what is pending and what alerts, last changed first; a key’s own only.',
    query: ManageBoxQuery,
    answers: { 200: paged(ManagedBox) },
  },
  readManagedBox: {
    ...read,
    url: '/api/manage/box/:boxID',
    summary: 'One box as managers see it, with the names of those who made its records.',
    answers: { 200: ManagedBoxDetail },
  },
  registerBox: {
    ...write,
    method: 'POST',
    url: '/api/box/registration',
    summary: 'Register a box with its fisher.',
    body: Registration,
    answers: { 201: z.strictObject({ boxID: z.string() }) },
  },
  addCatch: {
    ...write,
    method: 'POST',
    url: '/api/box/:boxID/catch',
    summary: 'Add the catch of a box.',
    body: unread({ 'application/json': NewCatch }),
    answers: { 201: Added },
  },
  correctRecord: {
    ...write,
    method: 'POST',
    url: '/api/box/:boxID/correction',
    summary: 'Mend a record by a new one that names it.',
    body: CorrectionInput,
    answers: { 201: Added },
  },
  sealBox: {
    ...write,
    method: 'POST',
    url: '/api/box/:boxID/seal',
    summary: 'End the history of a box.',
    body: SealInput,
    answers: { 201: Added },
  },
  linkProducts: {
    method: 'PUT',
    url: '/api/box/:boxID/products',
    summary: 'Say which products come from a box.',
    access: { right: 'shop:write' },
    limits: 'manage-write',
    body: ProductLinks,
    answers: { 200: z.array(z.strictObject({ product_id: z.string(), quantity: z.number() })) },
  },
})

/** Managing boxes: lists, records by hand, links to products. */
export function boxManageRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, boxManageCalls.listManagedBoxes, ({ query, asker }) =>
    listManagedBoxes(deps.db, query, deps.now(), boxesOf(asker)),
  )
  serve(app, boxManageCalls.readManagedBox, ({ params, asker }) =>
    managedBox(deps.db, boxIDOf(params, asker), deps.now()),
  )
  serve(app, boxManageCalls.registerBox, async ({ asker, body }) => {
    mayTouchBox(asker, body.boxID)
    await registerBox(deps, asker, body)
    return { boxID: body.boxID }
  })
  serve(app, boxManageCalls.addCatch, async ({ params, asker, request }) => {
    const boxID = boxIDOf(params, asker)
    const clock = { now: deps.now(), timeZone: deps.siteFile.market.timeZone }
    const data = parse(notAfter(NewCatch, clock), request.body)
    return { seq: await addCatch(deps, asker, boxID, data) }
  })
  serve(app, boxManageCalls.correctRecord, async ({ params, asker, body }) => ({
    seq: await correctRecord(deps, asker, boxIDOf(params, asker), body),
  }))
  serve(app, boxManageCalls.sealBox, async ({ params, asker, body }) => ({
    seq: await sealBox(deps, asker, boxIDOf(params, asker), body.reason),
  }))
  serve(app, boxManageCalls.linkProducts, async ({ params, asker, body: links }) => {
    await linkProducts(deps, asker, boxIDOf(params, asker), links)
    return links
  })
}
