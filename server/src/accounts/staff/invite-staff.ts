import { randomUUID } from 'node:crypto'
import { DAY_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import { carryOut, type EffectOf, type Handlers, life } from '@befaqt/domain/life'
import { MAX_STAFF } from '@befaqt/domain/limits'
import { type NewStaff, rightWords, STAFF_LINK_DAYS, type StaffInvitation } from '@befaqt/domain/staff'
import { and, eq, isNull, ne } from 'drizzle-orm'
import { type AccountDeps, emailKey, userByEmail } from '#server/accounts/account.ts'
import { hashToken, newToken, withToken } from '#server/accounts/tokens.ts'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { isStaff, staffInvitations, users } from '#server/db/schema/accounts.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { buttonOf, type EmailContent, filledEmail, note } from '#server/mail/email-content.ts'
import { type EmailReceipts, queueEmail } from '#server/mail/send-email.ts'

/** The page that the link of an invitation leads to. */
const STAFF_PAGE = '/user/staff'

const owner = ['owner'] as const
const revoke = { to: 'revoked', by: owner, effects: ['audit: revoked'] } as const
const replace = { to: 'revoked', by: owner } as const

/** The life of an invitation to the desk: its link works once, while it is open. */
export const staffInvitationLife = life({
  new: {
    invite: {
      to: 'open',
      by: owner,
      effects: ['replace an earlier one', 'audit: invited', 'email the link'],
    },
  },
  open: {
    join: {
      to: 'used',
      by: ['invited'],
      effects: ['make the account where there is none', 'give its rights', 'audit: joined'],
    },
    revoke,
    replace,
    lapse: { to: 'lapsed', by: ['clock'] },
  },
  lapsed: { revoke, replace },
  used: {},
  revoked: {},
})
type StaffInvitationLife = typeof staffInvitationLife

export type InvitationRow = typeof staffInvitations.$inferSelect

/**
 * Invites somebody to work at the desk: emails a link that works once. An earlier invitation of the same address is
 * revoked.
 * @throws ShopError `conflict` for an address whose account is an administrator's, a supplier's, at the desk already or
 *   closed, and where the desk has as many people as it may
 */
export async function inviteStaff(
  deps: AccountDeps,
  principal: Principal,
  { email, rights }: NewStaff,
): Promise<StaffInvitation> {
  const now = deps.now()
  const token = newToken()
  const invitation: InvitationRow = {
    id: randomUUID(),
    tokenHash: hashToken(token),
    email,
    emailKey: emailKey(email),
    rights,
    invitedBy: actorId(principal),
    createdAt: now,
    expiresAt: new Date(now.getTime() + STAFF_LINK_DAYS * DAY_MS),
    usedAt: null,
  }
  await deps.db.transaction(async (tx) => {
    await assertCanWorkHere(tx, email)
    const inviting = { tx, deps, principal, invitation, token }
    await carryOut(staffInvitationLife.new.invite.effects, inviteEffects, inviting)
    if ((await countStaff(tx)) > MAX_STAFF)
      throw new ShopError(
        'conflict',
        `The desk has ${MAX_STAFF} people and invitations: that is all it takes.`,
      )
  })
  return invitationView(invitation, now)
}

type Inviting = { tx: Tx; deps: AccountDeps; principal: Principal; invitation: InvitationRow; token: string }

const inviteEffects: Handlers<EffectOf<StaffInvitationLife, 'new'>, [Inviting], void> = {
  'replace an earlier one': async ({ tx, invitation }) => {
    await tx
      .delete(staffInvitations)
      .where(and(eq(staffInvitations.emailKey, invitation.emailKey), isNull(staffInvitations.usedAt)))
    await tx.insert(staffInvitations).values(invitation)
  },
  // Without the address: the log keeps it for longer than the invitation lives.
  'audit: invited': ({ tx, principal, invitation: { id, rights } }) =>
    writeAuditEntry(tx, principal, 'staff', id, { before: null, after: { rights } }),
  'email the link': ({ tx, deps, invitation: { id, email, rights, expiresAt, createdAt }, token }) => {
    const link = withToken(`${deps.config.PUBLIC_URL}${STAFF_PAGE}`, token)
    const content = invitationEmail(deps, rights, link)
    const receipt = receiptOf(id)
    const message = { kind: 'staff-invited' as const, to: email, content, goodUntil: expiresAt, receipt }
    return queueEmail(tx, deps.secrets, message, createdAt)
  },
}

const receiptOf = (id: string): string => `staff-invitation ${id}`

/** An invitation that was revoked or replaced before its email could be sent has a link that leads nowhere: it is not sent. */
export const staffReceipts = (db: Db): EmailReceipts => ({
  async isWanted(receipt) {
    const [, id] = /^staff-invitation (\S+)$/.exec(receipt) ?? []
    if (id === undefined) return true
    const open = and(eq(staffInvitations.id, id), isNull(staffInvitations.usedAt))
    return (await db.$count(staffInvitations, open)) > 0
  },
  noteSent: async () => undefined,
})

/** People with rights and open invitations, who share one bound. */
async function countStaff(tx: Tx): Promise<number> {
  const people = await tx.$count(users, and(isStaff, ne(users.role, 'ADMIN')))
  return people + (await tx.$count(staffInvitations, isNull(staffInvitations.usedAt)))
}

/** @throws ShopError `conflict` */
export async function assertCanWorkHere(tx: Tx, email: string): Promise<void> {
  const user = await userByEmail(tx, email)
  const why =
    user?.role === 'ADMIN'
      ? 'This is the account of an administrator, who has all rights.'
      : user?.role === 'SUPPLIER'
        ? 'This is the account of a supplier: staff need another address.'
        : (user?.rights.length ?? 0) > 0
          ? 'This account works at the desk already: change its rights.'
          : user?.status === 'DISABLED' || (user?.status === 'INACTIVE' && user.activatedAt !== null)
            ? 'The account with this address was closed: make it ACTIVE first, on the page of users.'
            : undefined
  if (why !== undefined) throw new ShopError('conflict', why)
}

/** Makes the link of an invitation useless. @throws ShopError `not_found` for one that was used or revoked */
export async function revokeStaffInvitation(
  deps: { db: Db },
  principal: Principal,
  id: string,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const [revoked] = await tx
      .delete(staffInvitations)
      .where(and(eq(staffInvitations.id, id), isNull(staffInvitations.usedAt)))
      .returning()
    if (revoked === undefined) throw new ShopError('not_found', 'This invitation is not open any more.')
    await carryOut(staffInvitationLife.open.revoke.effects, revocation, { tx, principal, revoked })
  })
}

type Revoked = { tx: Tx; principal: Principal; revoked: InvitationRow }

const revocation: Handlers<EffectOf<StaffInvitationLife, 'lapsed'>, [Revoked], void> = {
  'audit: revoked': ({ tx, principal, revoked: { id, rights } }) =>
    writeAuditEntry(tx, principal, 'staff', id, { before: { rights }, after: null }),
}

export const invitationView = (row: InvitationRow, now: Date): StaffInvitation => ({
  id: row.id,
  email: row.email,
  rights: row.rights,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  expired: row.expiresAt <= now,
})

const invitationEmail = (deps: AccountDeps, rights: InvitationRow['rights'], link: string): EmailContent =>
  filledEmail(deps, 'staff-invited', {
    rights: rights.map((right) => rightWords[right]).join('; '),
    links: [
      buttonOf(deps, 'staff-invited', link),
      note(
        `The link works once, within ${STAFF_LINK_DAYS} days. If you did not expect it, ignore this email.`,
      ),
    ],
  })
