import * as endpoints from '@befaqt/domain/api/endpoints/staff'
import {
  JoinStaff,
  NewStaff,
  StaffInvitation,
  StaffInvited,
  StaffLink,
  StaffList,
  StaffMember,
  StaffRights,
} from '@befaqt/domain/staff'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { AccountDeps } from '#server/accounts/account.ts'
import { clientOf } from '#server/accounts/sessions/client.ts'
import { expectedVersion } from '#server/http/optimistic-lock.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { inviteStaff, revokeStaffInvitation } from './invite-staff.ts'
import { joinStaff, readStaffLink } from './join-staff.ts'
import { listStaff, setStaffRights } from './staff.ts'

const write = { access: 'admin', limits: 'manage-write' } as const
const link = { access: 'public', limits: 'link' } as const

export const staffOperations = defineRoutes(endpoints, {
  listStaff: {
    access: 'admin',
    limits: 'manage-read',
    summary: 'Who works at the desk, owners first, and invitations that nobody took up.',
    responses: { 200: StaffList },
  },
  inviteStaff: {
    ...write,
    confirmed: true,
    summary:
      'Invite somebody to the desk by a link that works once; it replaces an earlier one to the same address.',
    body: NewStaff,
    responses: { 201: StaffInvitation },
  },
  revokeStaffInvitation: { ...write, summary: 'Revoke an invitation.', responses: { 204: null } },
  setStaffRights: {
    ...write,
    confirmed: true,
    summary:
      'Change what somebody may do at the desk; no rights: nothing any more, from the next request on.',
    body: StaffRights,
    responses: { 200: StaffMember },
  },
  readStaffLink: {
    ...link,
    summary: 'Whom the link of an invitation is for, and what it gives.',
    body: StaffLink,
    responses: { 200: StaffInvited },
  },
  joinStaff: {
    ...link,
    summary:
      'Take up an invitation: its rights go to the account of the invited address, which is made where there is none.',
    body: JoinStaff,
    responses: { 201: z.strictObject({ email: z.string() }) },
    errors: [409],
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const staffReads = {
  listStaff,
} satisfies Reads<typeof staffOperations, Pick<AccountDeps, 'db' | 'now'>>

/** Who works at the desk. Source: desk.md 'Staff'. */
export function staffRoutes(app: FastifyInstance, deps: AccountDeps): void {
  registerReads(app, staffOperations, staffReads, deps)
  registerRoute(app, staffOperations.inviteStaff, ({ principal, body }) => inviteStaff(deps, principal, body))
  registerRoute(app, staffOperations.revokeStaffInvitation, async ({ principal, params }) => {
    await revokeStaffInvitation(deps, principal, params.id)
    return undefined
  })
  registerRoute(app, staffOperations.setStaffRights, ({ principal, params, body, request }) =>
    setStaffRights(deps, principal, params.id, body.rights, expectedVersion(request, undefined)),
  )
  registerRoute(app, staffOperations.readStaffLink, ({ body, request }) =>
    readStaffLink(deps, body.token, clientOf(request)),
  )
  registerRoute(app, staffOperations.joinStaff, ({ body, request }) =>
    joinStaff(deps, body, clientOf(request)),
  )
}
