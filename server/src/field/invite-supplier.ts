import { randomUUID } from 'node:crypto'
import type { InvitationView } from '@befaqt/domain/api/field-api'
import { DAY_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import { carryOut, type EffectOf, type Handlers, life } from '@befaqt/domain/life'
import { INVITATION_DAYS, type NewInvitation } from '@befaqt/domain/supplier'
import { and, eq, isNull } from 'drizzle-orm'
import {
  type AccountDeps,
  emailKey,
  hashToken,
  newToken,
  userByEmail,
  withToken,
} from '#server/accounts/index.ts'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { invitations } from '#server/db/schema/suppliers.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { buttonOf, type EmailContent, filledEmail, note } from '#server/mail/email-content.ts'
import { type EmailReceipts, queueEmail } from '#server/mail/send-email.ts'

/** The page that the link of an invitation leads to. */
const JOIN_PAGE = '/field/join'

const manager = ['manager'] as const
const revoke = { to: 'revoked', by: manager, effects: ['audit: revoked'] } as const
const replace = { to: 'revoked', by: manager } as const

/** The life of an invitation: its link works once, while it is open. */
export const invitationLife = life({
  new: {
    invite: {
      to: 'open',
      by: manager,
      effects: ['replace an earlier one', 'audit: invited', 'email the link'],
    },
  },
  open: {
    join: {
      to: 'used',
      by: ['invited'],
      effects: ['make the account', 'end its sessions', 'make it a supplier', 'audit: joined'],
    },
    revoke,
    replace,
    lapse: { to: 'lapsed', by: ['clock'] },
  },
  lapsed: { revoke, replace },
  used: {},
  revoked: {},
})
type InvitationLife = typeof invitationLife

export type InvitationRow = typeof invitations.$inferSelect

/**
 * Invites somebody to be a supplier: emails a link that works once. An earlier invitation of the same address is revoked.
 * @throws ShopError `conflict` for an address whose account is a supplier's, an administrator's or disabled
 */
export async function inviteSupplier(
  deps: AccountDeps,
  principal: Principal,
  { email, fisher }: NewInvitation,
): Promise<InvitationView> {
  const now = deps.now()
  const token = newToken()
  const invitation: InvitationRow = {
    id: randomUUID(),
    tokenHash: hashToken(token),
    email,
    emailKey: emailKey(email),
    fisher,
    invitedBy: actorId(principal),
    createdAt: now,
    expiresAt: new Date(now.getTime() + INVITATION_DAYS * DAY_MS),
    usedAt: null,
  }
  await deps.db.transaction(async (tx) => {
    await assertCanJoin(tx, email)
    const { effects } = invitationLife.new.invite
    const inviting = { tx, deps, principal, invitation, token }
    await carryOut(effects, replacing, inviting)
    await tx.insert(invitations).values(invitation)
    await carryOut(effects, followUps, inviting)
  })
  return invitationView(invitation, now)
}

type Inviting = { tx: Tx; deps: AccountDeps; principal: Principal; invitation: InvitationRow; token: string }

const replacing = {
  'replace an earlier one': ({ tx, invitation: { emailKey } }) =>
    tx.delete(invitations).where(and(eq(invitations.emailKey, emailKey), isNull(invitations.usedAt))),
} satisfies Partial<Handlers<EffectOf<InvitationLife, 'new'>, [Inviting], unknown>>

/** What inviting somebody brings about, once the invitation is there. */
const followUps: Handlers<
  Exclude<EffectOf<InvitationLife, 'new'>, keyof typeof replacing>,
  [Inviting],
  void
> = {
  'audit: invited': ({ tx, principal, invitation: { id, email, fisher } }) =>
    writeAuditEntry(tx, principal, 'supplier', id, { before: null, after: { email, fisher } }),
  'email the link': ({ tx, deps, invitation: { id, email, expiresAt, createdAt }, token }) => {
    const link = withToken(`${deps.config.PUBLIC_URL}${JOIN_PAGE}`, token)
    const content = invitationEmail(deps, link)
    const receipt = receiptOf(id)
    const message = { kind: 'supplier-invited' as const, to: email, content, goodUntil: expiresAt, receipt }
    return queueEmail(tx, deps.secrets, message, createdAt)
  },
}

const receiptOf = (id: string): string => `supplier-invitation ${id}`

/** An invitation that was revoked or replaced before its email could be sent has a link that leads nowhere: it is not sent. */
export const invitationReceipts = (db: Db): EmailReceipts => ({
  async isWanted(receipt) {
    const [, id] = /^supplier-invitation (\S+)$/.exec(receipt) ?? []
    if (id === undefined) return true
    return (await db.$count(invitations, and(eq(invitations.id, id), isNull(invitations.usedAt)))) > 0
  },
  noteSent: async () => undefined,
})

/** @throws ShopError `conflict` */
export async function assertCanJoin(tx: Tx, email: string): Promise<void> {
  const user = await userByEmail(tx, email)
  const why =
    user?.role === 'SUPPLIER'
      ? 'This account is already a supplier’s.'
      : user?.role === 'ADMIN' || (user?.rights.length ?? 0) > 0
        ? 'This is the account of somebody who works at the desk: a supplier needs another address.'
        : user?.status === 'DISABLED'
          ? 'The account with this address is disabled.'
          : undefined
  if (why !== undefined) throw new ShopError('conflict', why)
}

/** Makes the link of an invitation useless. @throws ShopError `not_found` for one that was used or revoked */
export async function revokeInvitation(deps: { db: Db }, principal: Principal, id: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const [revoked] = await tx
      .delete(invitations)
      .where(and(eq(invitations.id, id), isNull(invitations.usedAt)))
      .returning()
    if (revoked === undefined) throw new ShopError('not_found', 'This invitation is not open any more.')
    await carryOut(invitationLife.open.revoke.effects, revocation, { tx, principal, revoked })
  })
}

type Revoked = { tx: Tx; principal: Principal; revoked: InvitationRow }

const revocation: Handlers<EffectOf<InvitationLife, 'lapsed'>, [Revoked], void> = {
  'audit: revoked': ({ tx, principal, revoked: { id, email, fisher } }) =>
    writeAuditEntry(tx, principal, 'supplier', id, { before: { email, fisher }, after: null }),
}

export const invitationView = (row: InvitationRow, now: Date): InvitationView => ({
  id: row.id,
  email: row.email,
  fisher: row.fisher,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  expired: row.expiresAt <= now,
})

const invitationEmail = (deps: AccountDeps, link: string): EmailContent =>
  filledEmail(deps, 'supplier-invited', {
    links: [
      buttonOf(deps, 'supplier-invited', link),
      note(
        `The link works once, within ${INVITATION_DAYS} days. If you did not expect it, ignore this email.`,
      ),
    ],
  })
