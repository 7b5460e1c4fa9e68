import * as endpoints from '@befaqt/domain/api/endpoints/suppliers'
import { AllottedLabels, InvitationView, SupplierList } from '@befaqt/domain/api/field-api'
import { NewLabels, PrintedLabels } from '@befaqt/domain/box-numbers'
import {
  ClaimDecision,
  NewInvitation,
  NewPhoneLink,
  PhoneLink,
  SupplierIdentity,
} from '@befaqt/domain/supplier'
import type { FastifyInstance } from 'fastify'
import type { AccountDeps } from '#server/accounts/index.ts'
import { type LabelDeps, PRINTED, sendLabels } from '#server/boxes/index.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { allotLabels, allottedLabels, takeLabelsBack } from './allot-labels.ts'
import { Decided, decideClaim } from './decide-claim.ts'
import { inviteSupplier, revokeInvitation } from './invite-supplier.ts'
import { makePhoneLink, revokePhoneLink } from './phones.ts'
import type { FieldDeps } from './record-entry.ts'
import { listSuppliers, updateSupplier } from './suppliers.ts'

const write = { access: { right: 'box:write', people: true }, limits: 'manage-write' } as const

export const supplierOperations = defineRoutes(endpoints, {
  listSuppliers: {
    summary: 'Suppliers with what they recorded, open invitations and links of phones, newest first.',
    access: { right: 'box:write', people: true },
    limits: 'manage-read',
    responses: { 200: SupplierList },
  },
  inviteSupplier: {
    confirmed: true,
    ...write,
    summary: 'Invite a supplier by a link that works once; it replaces an earlier one to the same address.',
    body: NewInvitation,
    responses: { 201: InvitationView },
  },
  revokeInvitation: {
    ...write,
    summary: 'Revoke an invitation.',
    responses: { 204: null },
  },
  updateSupplier: {
    ...write,
    summary: 'Change who a supplier is in records to come.',
    body: SupplierIdentity,
    responses: { 200: SupplierIdentity },
  },
  makePhoneLink: {
    confirmed: true,
    ...write,
    summary:
      'Make a link by which one phone of a supplier gets a key that is registered; it replaces an unused one.',
    body: NewPhoneLink,
    responses: { 201: PhoneLink },
  },
  revokePhoneLink: {
    ...write,
    summary: 'Revoke the link of a phone that was not used yet.',
    responses: { 204: null },
  },
  allotLabels: {
    ...write,
    summary: 'Allot labels to a supplier, who may register boxes under their numbers.',
    body: NewLabels,
    responses: { 201: AllottedLabels },
  },
  printAllotted: {
    access: { right: 'box:write', people: true },
    limits: 'manage-read',
    summary:
      'Labels of up to 100 numbers that are allotted to a supplier and of which there is no box yet: a PDF, or ZPL. 409 names those that are not theirs, or used.',
    query: PrintedLabels,
    responses: { 200: PRINTED },
    errors: [409],
  },
  takeLabelsBack: {
    ...write,
    summary: 'Take labels back that were allotted: boxes under their numbers stay.',
    responses: { 204: null },
  },
  decideClaim: {
    ...write,
    summary:
      'Confirm or refuse a hand-over that its receiver alone said, while it waits, or record or refuse a catch that waits.',
    body: ClaimDecision,
    responses: { 200: Decided },
    errors: [404, 409],
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const supplierReads = {
  listSuppliers,
} satisfies Reads<typeof supplierOperations, Pick<FieldDeps, 'db' | 'now'>>

/** Managing suppliers; their accounts are managed like all others. */
export function supplierRoutes(app: FastifyInstance, deps: AccountDeps & FieldDeps & LabelDeps): void {
  registerReads(app, supplierOperations, supplierReads, deps)
  registerRoute(app, supplierOperations.inviteSupplier, ({ principal, body }) =>
    inviteSupplier(deps, principal, body),
  )
  registerRoute(app, supplierOperations.revokeInvitation, async ({ principal, params }) => {
    await revokeInvitation(deps, principal, params.id)
    return undefined
  })
  registerRoute(app, supplierOperations.updateSupplier, ({ principal, params, body }) =>
    updateSupplier(deps, principal, params.id, body),
  )
  registerRoute(app, supplierOperations.makePhoneLink, ({ principal, params, body }) =>
    makePhoneLink(deps, principal, params.id, body),
  )
  registerRoute(app, supplierOperations.revokePhoneLink, async ({ principal, params }) => {
    await revokePhoneLink(deps, principal, params.id)
    return undefined
  })
  registerRoute(app, supplierOperations.allotLabels, ({ principal, params, body }) =>
    allotLabels(deps, principal, params.id, body),
  )
  registerRoute(app, supplierOperations.printAllotted, async ({ params, query, reply }) => {
    const contents = await allottedLabels(deps, { ...query, userId: params.id, by: 'manager' })
    return sendLabels(reply, contents, query.format)
  })
  registerRoute(app, supplierOperations.takeLabelsBack, async ({ principal, params }) => {
    await takeLabelsBack(deps, principal, params.id)
    return undefined
  })
  registerRoute(app, supplierOperations.decideClaim, ({ principal, params, body }) =>
    decideClaim(deps, principal, params.id, body, null),
  )
}
