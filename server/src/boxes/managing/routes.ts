import { paged } from '@befaqt/domain/api/box-api'
import * as endpoints from '@befaqt/domain/api/endpoints/managed-boxes'
import { ManagedBox, ManagedBoxDetail, SeenAlert } from '@befaqt/domain/api/manage-api'
import { BoxWeight, CorrectionInput, Registration } from '@befaqt/domain/box'
import { CoseSubmission } from '@befaqt/domain/device'
import { rejectFutureTimes } from '@befaqt/domain/market-time'
import { Handover } from '@befaqt/domain/supplier'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { boxIDOf, boxNotFound } from '#server/boxes/box-access.ts'
import type { RecordingDeps } from '#server/boxes/records/add-records.ts'
import { addWeight } from '#server/boxes/records/box-weights.ts'
import { addHandover, type TakesUpClaims } from '#server/boxes/records/hand-over.ts'
import {
  addCatch,
  correctRecord,
  NewCatch,
  registerBox,
  SealInput,
  sealBox,
} from '#server/boxes/records/manual-records.ts'
import {
  type CatalogueTx,
  type CatalogueWriter,
  changeCatalogue,
  MAX_LINKS,
  once,
  quantity,
  replaceProductsOfBox,
} from '#server/catalogue/index.ts'
import { lock } from '#server/db/lock.ts'
import { parse } from '#server/http/errors.ts'
import { fieldError } from '#server/http/field-error.ts'
import type { Search } from '#server/http/limits/limited-search.ts'
import { defineRoutes, type Reads, rawBody, registerReads, registerRoute } from '#server/http/route.ts'
import { allowedBoxes, assertBoxAccess, type Principal } from '#server/identity/principal.ts'
import { noteSeen } from './box-alerts.ts'
import { ManageBoxQuery, managedBox, searchManagedBoxes } from './managed-boxes.ts'

/** The products that come from a box; each once. */
const ProductLinks = z
  .array(z.strictObject({ product_id: z.string().min(1).max(64), quantity }))
  .max(MAX_LINKS, `at most ${MAX_LINKS} products`)
  .refine((links) => once(links, ({ product_id }) => product_id), 'a product is listed twice')

const read = { access: { right: 'box:write' }, limits: 'manage-read' } as const
const write = { access: { right: 'box:write' }, limits: 'manage-write' } as const
const Added = z.strictObject({ seq: z.int() })

export const boxManageOperations = defineRoutes(endpoints, {
  listManagedBoxes: {
    ...read,
    summary:
      'Boxes with where they are, what is pending and what alerts, last changed first; a key’s own only.',
    query: ManageBoxQuery,
    responses: { 200: paged(ManagedBox) },
  },
  readManagedBox: {
    ...read,
    summary: 'One box as managers see it, with the names of those who made its records.',
    responses: { 200: ManagedBoxDetail },
  },
  registerBox: {
    ...write,
    summary: 'Register a box with its fisher.',
    body: Registration,
    responses: { 201: z.strictObject({ boxID: z.string() }) },
  },
  noteAlertSeen: {
    ...write,
    summary: 'Note that an alert of a box was seen, or take that back.',
    body: SeenAlert,
    responses: { 204: null },
  },
  addCatch: {
    ...write,
    summary: 'Add the catch of a box.',
    body: rawBody({ 'application/json': NewCatch }),
    responses: { 201: Added },
  },
  addWeight: {
    ...write,
    summary:
      'Record the net weight that went into a box, typed or as its scale signed it: nothing is sold beyond it.',
    body: rawBody({ 'application/json': z.union([BoxWeight, CoseSubmission]) }),
    responses: { 201: Added },
  },
  addHandover: {
    ...write,
    summary: 'Record that a box changed hands, or was refused: 409 unless `from` holds it.',
    body: rawBody({ 'application/json': Handover }),
    responses: { 201: Added },
  },
  correctRecord: {
    ...write,
    summary: 'Correct a record by a new one that names it.',
    body: CorrectionInput,
    responses: { 201: Added },
  },
  sealBox: {
    ...write,
    summary: 'End the history of a box.',
    body: SealInput,
    responses: { 201: Added },
  },
  linkProducts: {
    summary: 'Set which products come from a box.',
    access: { right: 'shop:write' },
    limits: 'manage-write',
    body: ProductLinks,
    responses: { 200: z.array(z.strictObject({ product_id: z.string(), quantity: z.number() })) },
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const boxManageReads = {
  listManagedBoxes: (deps, { query, principal, signal }) =>
    searchManagedBoxes(deps, query, allowedBoxes(principal), signal),
  readManagedBox: ({ db }, { params, principal }) => managedBox(db, boxIDOf(params, principal)),
} satisfies Reads<typeof boxManageOperations, Pick<RecordingDeps, 'db'> & { search: Search }>

/** Managing boxes: lists, records by hand, links to products. */
export function boxManageRoutes(
  app: FastifyInstance,
  deps: RecordingDeps & { search: Search } & TakesUpClaims,
): void {
  registerReads(app, boxManageOperations, boxManageReads, deps)
  registerRoute(app, boxManageOperations.noteAlertSeen, async ({ params, principal, body }) => {
    await noteSeen(deps, principal, boxIDOf(params, principal), body)
    return undefined
  })
  registerRoute(app, boxManageOperations.registerBox, async ({ principal, body }) => {
    assertBoxAccess(principal, body.boxID)
    await registerBox(deps, principal, body)
    return { boxID: body.boxID }
  })
  registerRoute(app, boxManageOperations.addCatch, async ({ params, principal, request }) => {
    const boxID = boxIDOf(params, principal)
    const clock = { now: deps.now(), timeZone: deps.siteFile.market.timeZone }
    const data = parse(rejectFutureTimes(NewCatch, clock), request.body)
    return { seq: await addCatch(deps, principal, boxID, data) }
  })
  registerRoute(app, boxManageOperations.addWeight, async ({ params, principal, request }) => {
    const boxID = boxIDOf(params, principal)
    const isSigned = Object.hasOwn(Object(request.body), 'cose')
    const weight = parse<z.ZodType<BoxWeight | CoseSubmission>>(
      isSigned ? CoseSubmission : BoxWeight,
      request.body,
    )
    return { seq: await addWeight(deps, principal, boxID, weight) }
  })
  registerRoute(app, boxManageOperations.addHandover, async ({ params, principal, request }) => {
    const boxID = boxIDOf(params, principal)
    const clock = { now: deps.now(), timeZone: deps.siteFile.market.timeZone }
    const data = parse(rejectFutureTimes(Handover, clock), request.body)
    return { seq: await addHandover(deps, principal, boxID, data) }
  })
  registerRoute(app, boxManageOperations.correctRecord, async ({ params, principal, body }) => ({
    seq: await correctRecord(deps, principal, boxIDOf(params, principal), body),
  }))
  registerRoute(app, boxManageOperations.sealBox, async ({ params, principal, body }) => ({
    seq: await sealBox(deps, principal, boxIDOf(params, principal), body.reason),
  }))
  registerRoute(app, boxManageOperations.linkProducts, async ({ params, principal, body: links }) => {
    await linkProducts(deps, principal, boxIDOf(params, principal), links)
    return links
  })
}

/**
 * Says which products come from a box, in place of those said before.
 * @throws ShopError `box.not_found`, `input.invalid` for a product that is not there (any more)
 */
async function linkProducts(
  deps: CatalogueWriter,
  principal: Principal,
  boxID: string,
  links: z.infer<typeof ProductLinks>,
): Promise<void> {
  const shown: string[] = []
  const link = async (tx: CatalogueTx) => {
    const ids = links.map(({ product_id }) => product_id).sort()
    const [found, left] = await lock(tx).products(ids, 'key share')
    const missing = links.findIndex(({ product_id }) => !found.has(product_id))
    if (missing >= 0) throw fieldError(`[${missing}].product_id`, 'There is no such product.')
    const [held] = await left.boxes([boxID])
    if (!held.has(boxID)) throw boxNotFound()
    const before = await replaceProductsOfBox(tx, boxID, links)
    shown.splice(0, shown.length, ...before.map(({ product_id }) => product_id), ...ids) // of no try before this one
    await writeAuditEntry(tx, principal, 'box', boxID, {
      before: { products: before },
      after: { products: links },
    })
  }
  await changeCatalogue(deps, link, undefined, { products: shown })
}
