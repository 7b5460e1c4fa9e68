import {
  BoxComplaint,
  ComplaintDecision,
  ComplaintInput,
  ComplaintMove,
  ComplaintPage,
  ComplaintView,
  complaintFilters,
  ManagedComplaint,
  OrderComplaints,
} from '@befaqt/domain/api/complaint-api'
import * as managed from '@befaqt/domain/api/endpoints/managed-orders'
import * as endpoints from '@befaqt/domain/api/endpoints/order-page'
import { readComplaints as endpointOfComplaints } from '@befaqt/domain/api/endpoints/orders'
import { MAX_PHOTOS } from '@befaqt/domain/complaint'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { z } from 'zod'
import { boxIDOf } from '#server/boxes/index.ts'
import { ONE_MOMENT } from '#server/db/client.ts'
import type { FileStore } from '#server/files/file-store.ts'
import { clientNetwork } from '#server/http/client-network.ts'
import { parse } from '#server/http/errors.ts'
import { fieldError } from '#server/http/field-error.ts'
import { ListQuery } from '#server/http/list-query.ts'
import { formBody, readForm } from '#server/http/multipart-form.ts'
import { expectedVersion } from '#server/http/optimistic-lock.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { type ImageProcessor, normalizeImages } from '#server/images/image-processor.ts'
import { LinkKey } from '../order-access.ts'
import type { OrderDeps } from '../order-deps.ts'
import { type OrderReadDeps, readWholeOrder } from '../read-orders.ts'
import { assertMayComplain, complain, decideComplaint, moveComplaint } from './change-complaint.ts'
import { boxComplaints, listComplaints } from './list-complaints.ts'
import { readComplaints, readPhoto, shopsComplaints } from './read-complaints.ts'

const call = { access: 'public', limits: 'order', cache: 'no-store', query: LinkKey } as const
/** Complaints are about the whole order of somebody. */
const wide = { right: 'order:write', allBoxes: true } as const
const read = { access: { right: 'order:read', allBoxes: true }, limits: 'manage-read' } as const

/** In the form what is said is the JSON in the field `complaint`: numbers stay numbers. */
const ComplaintForm = z.object({ complaint: z.union([ComplaintInput, z.string()]) })
const WEBP = 'image/webp'

export const complaintOperations = defineRoutes(
  { ...endpoints, ...managed, readComplaints: endpointOfComplaints },
  {
    readComplaints: {
      ...call,
      summary: 'What the buyer of an order said is wrong with it, and whether more can be said.',
      responses: { 200: OrderComplaints },
      errors: [403],
    },
    complain: {
      ...call,
      limits: 'photos',
      summary:
        'Say what is wrong with one’s own order, from when it is packed until days after its time, with up to four photos. One at a time: 409.',
      body: formBody(ComplaintForm, 'photos'),
      responses: { 201: ComplaintView },
      errors: [403],
    },
    moveComplaint: {
      ...call,
      summary: 'Take a complaint back, or open it again.',
      body: ComplaintMove,
      responses: { 200: ComplaintView },
      errors: [403],
    },
    readComplaintPhoto: {
      ...call,
      summary: 'A photo of a complaint, for its buyer and for the shop.',
      responses: { 200: WEBP },
      errors: [403],
    },
    listComplaints: {
      ...read,
      summary: 'Complaints, open ones first; searched by the number of their order.',
      query: ListQuery.pick({ q: true }).extend({
        state: z
          .enum(complaintFilters)
          .optional()
          .describe('check: those about freshness whose boxes nobody has looked at'),
        after: z.string().max(200).optional().describe('`next` of the page before'),
      }),
      responses: { 200: ComplaintPage },
    },
    listOrderComplaints: {
      ...read,
      summary: 'The complaints of an order, with what may be done with each.',
      responses: { 200: z.array(ManagedComplaint) },
    },
    decideComplaint: {
      access: wide,
      limits: 'manage-write',
      summary:
        'Answer a complaint by email, close it, record that its refund was given back or that somebody looked at its boxes, or take such a record back.',
      body: ComplaintDecision,
      responses: { 200: ManagedComplaint },
    },
    listBoxComplaints: {
      access: { right: 'order:read' },
      limits: 'manage-read',
      summary: 'Complaints about the freshness of what was packed from a box, without who bought it.',
      responses: { 200: z.array(BoxComplaint) },
    },
  },
)

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const complaintReads = {
  readComplaints: (deps, { principal, params, query }) =>
    readComplaints(deps, principal, params.id, query.key),
  listComplaints: ({ db }, { query }) => listComplaints(db, query),
  listOrderComplaints: ({ db, now }, { params }) =>
    db.transaction(async (tx) => shopsComplaints(tx, await readWholeOrder(tx, params.id), now()), ONE_MOMENT),
  listBoxComplaints: ({ db }, { principal, params }) => boxComplaints(db, boxIDOf(params, principal)),
} satisfies Reads<typeof complaintOperations, OrderReadDeps>

type ComplaintDeps = OrderDeps & { files: FileStore; images: ImageProcessor; log: Logger }

/** What is wrong with orders, said by who bought them, and decided by the shop. */
export function complaintRoutes(app: FastifyInstance, deps: ComplaintDeps): void {
  registerReads(app, complaintOperations, complaintReads, deps)
  registerRoute(app, complaintOperations.complain, async ({ principal, params, query, request }) => {
    const from = { principal, network: clientNetwork(request.ip), key: query.key }
    await assertMayComplain(deps, params.id, from)
    await using form = await readForm(request)
    const input = parse(ComplaintInput, complaintIn(form.body.complaint))
    if (form.files.length > MAX_PHOTOS) throw fieldError('photos', `must be at most ${MAX_PHOTOS}`)
    const photos = await normalizeImages(deps.images, 'photos', form.files)
    return await complain(deps, params.id, input, photos, from) // the form stays until then
  })
  registerRoute(app, complaintOperations.moveComplaint, ({ principal, params, query, body, request }) =>
    moveComplaint(
      deps,
      params,
      body,
      { principal, network: clientNetwork(request.ip), key: query.key },
      expectedVersion(request),
    ),
  )
  registerRoute(app, complaintOperations.readComplaintPhoto, async ({ principal, params, query, reply }) =>
    reply.type(WEBP).send(Buffer.from(await readPhoto(deps, principal, params, query.key))),
  )
  registerRoute(app, complaintOperations.decideComplaint, ({ principal, params, body, request }) =>
    decideComplaint(deps, principal, params.id, body, expectedVersion(request)),
  )
}

/** @throws ShopError `input.invalid` for text that is no JSON */
function complaintIn(complaint: unknown): unknown {
  if (typeof complaint !== 'string') return complaint
  try {
    return JSON.parse(complaint)
  } catch {
    throw fieldError('complaint', 'must be JSON')
  }
}
