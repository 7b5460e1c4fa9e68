import { randomUUID } from 'node:crypto'
import type { InvitationView } from '@befaqt/domain/api/field-api'
import { DAY_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import { INVITATION_DAYS, type NewInvitation } from '@befaqt/domain/supplier'
import { and, eq, isNull } from 'drizzle-orm'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { emailKey } from '#server/accounts/email-key.ts'
import { withToken } from '#server/accounts/emails/same-origin-url.ts'
import { userByEmail } from '#server/accounts/store.ts'
import { hashToken, newToken } from '#server/accounts/tokens.ts'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { invitations } from '#server/db/schema/suppliers.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { button, type EmailContent, note, text } from '#server/mail/email-content.ts'
import { queueEmail } from '#server/mail/send-email.ts'

/** The page that the link of an invitation leads to. */
const JOIN_PAGE = '/field/join'

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
    await tx
      .delete(invitations)
      .where(and(eq(invitations.emailKey, invitation.emailKey), isNull(invitations.usedAt)))
    await tx.insert(invitations).values(invitation)
    await writeAuditEntry(tx, principal, 'supplier', invitation.id, {
      before: null,
      after: { email, fisher },
    })
    const content = invitationEmail(
      deps.siteFile.name,
      withToken(`${deps.config.PUBLIC_URL}${JOIN_PAGE}`, token),
    )
    const goodUntil = invitation.expiresAt
    await queueEmail(tx, deps.secrets, { kind: 'supplier-invited', to: email, content, goodUntil }, now)
  })
  return invitationView(invitation, now)
}

/** @throws ShopError `conflict` */
export async function assertCanJoin(tx: Tx, email: string): Promise<void> {
  const user = await userByEmail(tx, email)
  const why =
    user?.role === 'SUPPLIER'
      ? 'This account is already a supplier’s.'
      : user?.role === 'ADMIN'
        ? 'This is the account of an administrator: a supplier needs another address.'
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
    const { email, fisher } = revoked
    await writeAuditEntry(tx, principal, 'supplier', id, { before: { email, fisher }, after: null })
  })
}

export const invitationView = (row: InvitationRow, now: Date): InvitationView => ({
  id: row.id,
  email: row.email,
  fisher: row.fisher,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt.toISOString(),
  expired: row.expiresAt <= now,
})

const invitationEmail = (shop: string, link: string): EmailContent => ({
  subject: `Record your catches at ${shop}`,
  heading: 'You are invited',
  blocks: [
    text(`${shop} invites you to record catches and hand-overs of fish boxes on your phone, also offline.`),
    button('Set up my access', link),
    note(`The link works once, within ${INVITATION_DAYS} days. If you did not expect it, ignore this email.`),
  ],
})
