import * as endpoints from '@befaqt/domain/api/endpoints/suppliers'
import { FieldBox, FieldClaim, FieldOutcome, FieldUser, Invited } from '@befaqt/domain/api/field-api'
import { PrintedLabels } from '@befaqt/domain/box-numbers'
import { Enrolment, EnrolmentProof } from '@befaqt/domain/device'
import { FieldEntry } from '@befaqt/domain/field-entry'
import { ClaimDecision, FieldPhone, InvitationToken, JoinInput, PhoneKey } from '@befaqt/domain/supplier'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type AccountDeps, clientOf } from '#server/accounts/index.ts'
import { type LabelDeps, PRINTED, sendLabels } from '#server/boxes/index.ts'
import { parse } from '#server/http/errors.ts'
import { fieldError } from '#server/http/field-error.ts'
import { formBody, readForm } from '#server/http/multipart-form.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { requireUser } from '#server/identity/principal.ts'
import type { ImageProcessor } from '#server/images/image-processor.ts'
import { normalizeImages } from '#server/images/image-processor.ts'
import { allottedLabels } from './allot-labels.ts'
import { Decided, decideClaim, fieldClaims } from './decide-claim.ts'
import { joinAsSupplier, readInvitation } from './join.ts'
import { ownBoxes } from './own-boxes.ts'
import { beginPhoneEnrolment, completePhoneEnrolment } from './phones.ts'
import { type FieldDeps, recordEntry } from './record-entry.ts'
import { fieldUser, supplierOf } from './suppliers.ts'

/** In a form an entry is the JSON in the field `entry`: numbers stay numbers. */
const EntryForm = z.object({ entry: z.union([FieldEntry, z.string()]) })

const link = { access: 'public', limits: 'link' } as const
const own = { access: 'supplier' } as const

export const fieldOperations = defineRoutes(endpoints, {
  readInvitation: {
    ...link,
    summary: 'Who the link of an invitation is for.',
    body: InvitationToken,
    responses: { 200: Invited },
  },
  joinAsSupplier: {
    ...link,
    summary: 'Make the account of an invited supplier, once.',
    body: JoinInput,
    responses: { 201: z.strictObject({ email: z.string() }) },
    errors: [409],
  },
  readFieldUser: {
    ...own,
    summary: 'What a supplier’s phone keeps about its user.',
    limits: 'account',
    responses: { 200: FieldUser },
    errors: [409],
  },
  printFieldLabels: {
    ...own,
    summary:
      'Labels of up to 100 numbers that are allotted to the caller and of which there is no box yet: a PDF, or ZPL. 409 names those that are not, or used.',
    limits: 'account',
    query: PrintedLabels,
    responses: { 200: PRINTED },
    errors: [409],
  },
  listFieldBoxes: {
    ...own,
    summary: 'The supplier’s own boxes, newest first, with what became of them.',
    limits: 'account',
    responses: { 200: z.array(FieldBox) },
    errors: [409],
  },
  listFieldClaims: {
    ...own,
    summary:
      'Hand-overs that receivers alone said: the caller’s own, newest first, and those that they may decide.',
    limits: 'account',
    responses: { 200: z.array(FieldClaim) },
    errors: [409],
  },
  decideFieldClaim: {
    ...own,
    summary: 'Confirm or refuse that a box which the caller holds went to somebody else, while that waits.',
    limits: 'account',
    body: ClaimDecision,
    responses: { 200: Decided },
    errors: [404, 409],
  },
  beginPhoneEnrolment: {
    ...own,
    summary: 'Show the public key of a phone, with its link: returns the message that it has to sign.',
    limits: 'account',
    body: PhoneKey,
    responses: { 201: Enrolment },
    errors: [409],
  },
  completePhoneEnrolment: {
    ...own,
    summary: 'Register a phone with its signature over the message, once for each link.',
    limits: 'account',
    body: EnrolmentProof,
    responses: { 201: FieldPhone },
    errors: [409],
  },
  sendFieldEntry: {
    ...own,
    summary:
      'Record a catch, a hand-over or a reading once for each id: 201, 200 when it was recorded before.',
    limits: 'upload',
    body: formBody(EntryForm, 'photo'),
    responses: { 200: FieldOutcome, 201: FieldOutcome },
    errors: [404, 409, 422],
  },
})

/** What suppliers’ phones read: their own boxes, and nobody else's. */
export function fieldRoutes(
  app: FastifyInstance,
  deps: AccountDeps &
    FieldDeps &
    LabelDeps & { images: ImageProcessor; siteFile: { market: { name: string } } },
): void {
  registerRoute(app, fieldOperations.readInvitation, ({ body, request }) =>
    readInvitation(deps, body.token, clientOf(request)),
  )
  registerRoute(app, fieldOperations.joinAsSupplier, ({ body, request }) =>
    joinAsSupplier(deps, body, clientOf(request)),
  )
  registerRoute(app, fieldOperations.readFieldUser, ({ principal }) =>
    fieldUser(deps, requireUser(principal)),
  )
  registerRoute(app, fieldOperations.printFieldLabels, async ({ principal, query, reply }) => {
    const { userId } = await supplierOf(deps.db, requireUser(principal).userId)
    const contents = await allottedLabels(deps, { ...query, userId, by: 'supplier' })
    return sendLabels(reply, contents, query.format)
  })
  registerRoute(app, fieldOperations.listFieldBoxes, ({ principal }) =>
    ownBoxes(deps, requireUser(principal).userId),
  )
  registerRoute(app, fieldOperations.listFieldClaims, async ({ principal }) =>
    fieldClaims(deps, await supplierOf(deps.db, requireUser(principal).userId)),
  )
  registerRoute(app, fieldOperations.decideFieldClaim, async ({ principal, params, body }) => {
    const supplier = await supplierOf(deps.db, requireUser(principal).userId)
    return decideClaim(deps, principal, params.id, body, supplier)
  })
  registerRoute(app, fieldOperations.beginPhoneEnrolment, ({ principal, body }) =>
    beginPhoneEnrolment(deps, principal, body),
  )
  registerRoute(app, fieldOperations.completePhoneEnrolment, ({ principal, params, body }) =>
    completePhoneEnrolment(deps, principal, params.id, body),
  )
  registerRoute(app, fieldOperations.sendFieldEntry, async ({ principal, request, reply }) => {
    await using form = await readForm(request)
    const entry = parse(FieldEntry, entryIn(form.body.entry))
    if (form.files.length > 1) throw fieldError('photo', 'Send one photo, not more.')
    const pictures = await normalizeImages(deps.images, 'photo', entry.kind === 'catch' ? form.files : [])
    const { outcome, isNew } = await recordEntry(deps, principal, entry, pictures)
    reply.code(isNew ? 201 : 200)
    return outcome
  })
}

/** @throws ShopError `input.invalid` for text that is no JSON */
function entryIn(entry: unknown): unknown {
  if (typeof entry !== 'string') return entry
  try {
    return JSON.parse(entry)
  } catch {
    throw fieldError('entry', 'must be JSON')
  }
}
