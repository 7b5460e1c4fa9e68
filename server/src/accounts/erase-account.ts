import * as managedEndpoints from '@befaqt/domain/api/endpoints/manage'
import * as endpoints from '@befaqt/domain/api/endpoints/own-account'
import { ShopError } from '@befaqt/domain/errors'
import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import { rows, type Tx } from '#server/db/client.ts'
import { staffInvitations, users } from '#server/db/schema/accounts.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { actorId, type Principal, requireUser } from '#server/identity/principal.ts'
import { type AccountDeps, lockUser, type UserRow } from './account.ts'
import { mailAccountErased } from './account-emails.ts'
import { limitNotices } from './limits.ts'
import { redactDeletedAccounts, redactEmails } from './retention.ts'
import { clearSessionCookie } from './sessions/client.ts'

const eraseOperations = defineRoutes(endpoints, {
  eraseAccount: {
    access: 'user',
    limits: 'account',
    confirmed: true,
    summary:
      'Delete own account and what is kept of its person. 409 while orders are under way, and for administrators.',
    responses: { 204: null },
  },
})

export const eraseCustomerOperations = defineRoutes(managedEndpoints, {
  eraseCustomer: {
    access: 'admin',
    limits: 'manage-write',
    confirmed: true,
    summary:
      'Erase the account of somebody who asked for it, and what is kept of its person. 409 while orders are under way, and for staff.',
    responses: { 204: null },
  },
})

/** The way out of an account, by who has it, or by an owner of the shop for them. */
export function eraseRoutes(app: FastifyInstance, deps: AccountDeps): void {
  registerRoute(app, eraseOperations.eraseAccount, async ({ principal, request, reply }) => {
    await limitNotices(deps, request)
    await eraseAccount(deps, principal)
    clearSessionCookie(reply, deps.config)
    return undefined
  })
  registerRoute(app, eraseCustomerOperations.eraseCustomer, async ({ principal, params }) => {
    await eraseCustomer(deps, principal, params.id)
    return undefined
  })
}

/** Orders that a refusal names. */
const MAX_NAMED = 5

/**
 * Deletes one's own account as a manager would: sessions, addresses, who orders were for. What was sold stays without a
 * name, and histories of boxes stay whole. The address is told, since it may not have been its owner who did it.
 * @throws ShopError `conflict` while an order is under way, since the shop has to reach its buyer, and for administrators,
 *   whose account another one deletes
 */
export async function eraseAccount(deps: AccountDeps, principal: Principal): Promise<void> {
  const { userId } = requireUser(principal)
  await deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId)
    if (user === undefined) throw new ShopError('auth.required', 'Please log in.')
    if (user.role === 'ADMIN')
      throw new ShopError('conflict', 'The account of an administrator is deleted by another one.')
    await eraseUser(tx, deps, principal, user)
  })
  deps.log.info({ user: userId }, 'an account was deleted by its owner')
}

/**
 * The same for somebody who asked for it, by an owner of the shop.
 * @throws ShopError `user.not_found`, `conflict` while an order is under way, and for staff and suppliers, whose accounts
 *   are on other pages
 */
async function eraseCustomer(deps: AccountDeps, principal: Principal, id: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, id)
    if (user === undefined) throw new ShopError('user.not_found', 'There is no such user.')
    if (user.role !== 'USER' || user.rights.length > 0)
      throw new ShopError(
        'conflict',
        'This account is no customer’s: its role or rights are taken away first.',
      )
    await eraseUser(tx, deps, principal, user)
  })
  deps.log.info({ user: id, by: actorId(principal) }, 'an account was erased for its owner')
}

/** @throws ShopError `conflict` while an order is under way */
async function eraseUser(tx: Tx, deps: AccountDeps, principal: Principal, user: UserRow): Promise<void> {
  await assertNothingUnderWay(tx, user.id)
  await redactEmails(tx, deps.secrets, user)
  await tx.delete(staffInvitations).where(eq(staffInvitations.emailKey, user.emailKey))
  await tx.delete(users).where(eq(users.id, user.id))
  const before = { role: user.role, status: user.status }
  await writeAuditEntry(tx, principal, 'user', user.id, { before, after: null })
  await redactDeletedAccounts(tx)
  await mailAccountErased(tx, deps, user.email)
}

async function assertNothingUnderWay(tx: Tx, userId: string): Promise<void> {
  const found = await rows<{ number: string }>(
    tx,
    sql`select number from orders where user_id = ${userId} and status not in ('COMPLETED', 'CANCELLED')
        order by created_at, id limit ${MAX_NAMED}`,
  )
  if (found.length === 0) return
  const numbers = found.map(({ number }) => number).join(', ')
  throw new ShopError(
    'conflict',
    `Orders are under way (${numbers}): we may have to reach you. Delete your account when you have them, or cancel them first.`,
  )
}
