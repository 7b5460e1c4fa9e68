import { randomUUID } from 'node:crypto'
import { carryOut, type EffectOf, type Handlers } from '@befaqt/domain/life'
import type { JoinStaff, StaffInvited } from '@befaqt/domain/staff'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { type AccountDeps, userByEmail } from '#server/accounts/account.ts'
import { assertNotGuessedFirst } from '#server/accounts/credentials/passwords.ts'
import { consume, linksByNetwork, refund } from '#server/accounts/limits.ts'
import type { Client } from '#server/accounts/sessions/client.ts'
import { endSessions } from '#server/accounts/sessions/sessions.ts'
import { assertOpenLink, hashToken, revokeTokens } from '#server/accounts/tokens.ts'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { staffInvitations, users } from '#server/db/schema/accounts.ts'
import { fieldError } from '#server/http/field-error.ts'
import { SYSTEM } from '#server/identity/principal.ts'
import { assertCanWorkHere, type InvitationRow, staffInvitationLife } from './invite-staff.ts'

/** Whom a link is for. @throws ShopError `token.invalid`, `rate.limited` */
export async function readStaffLink(deps: AccountDeps, token: string, client: Client): Promise<StaffInvited> {
  const limit = linksByNetwork(client.network)
  await consume(deps.db, limit, deps.now())
  const { email, rights, expiresAt } = await openInvitation(deps.db, token, deps.now())
  const hasAccount = await isActivated(deps.db, email)
  await refund(deps.db, limit)
  return { email, rights, expiresAt: expiresAt.toISOString(), hasAccount }
}

/** An account that nobody activated may be anybody's who typed the address. */
const isActivated = async (db: Db | Tx, email: string): Promise<boolean> =>
  (await userByEmail(db, email))?.status === 'ACTIVE'

async function openInvitation(db: Db | Tx, token: string, now: Date): Promise<InvitationRow> {
  const [row] = await db
    .select()
    .from(staffInvitations)
    .where(eq(staffInvitations.tokenHash, hashToken(token)))
  return assertOpenLink(row, now)
}

/**
 * Takes an invitation up. Whoever has the link reads the emails of its address, so its rights go to the account of that
 * address and to no other. An account that was activated keeps its password, and whoever holds the link still has to log
 * in with it; where there is none, it is made.
 * @throws ShopError `token.invalid`, `conflict`, `rate.limited`; `input.invalid` at `person` where an account has to be made
 */
export async function joinStaff(
  deps: AccountDeps,
  { token, person }: JoinStaff,
  client: Client,
): Promise<{ email: string }> {
  const limit = linksByNetwork(client.network)
  await consume(deps.db, limit, deps.now())
  const invited = await openInvitation(deps.db, token, deps.now())
  if (person !== undefined) assertNotGuessedFirst(person.password, invited.email, deps.siteFile.name)
  const passwordHash = person && (await deps.passwords.hash(person.password))
  const now = deps.now()
  await deps.db.transaction(async (tx) => {
    const invitation = await consumeInvitation(tx, token, now)
    await assertCanWorkHere(tx, invitation.email)
    await carryOut(staffInvitationLife.open.join.effects, joinEffects, {
      tx,
      invitation,
      now,
      person: person && passwordHash ? { ...person, passwordHash } : undefined,
    })
  })
  await refund(deps.db, limit)
  return { email: invited.email }
}

type Joining = {
  tx: Tx
  invitation: InvitationRow
  now: Date
  person: { fname: string; lname: string; phone: string; passwordHash: string } | undefined
}
type JoinEffect = Exclude<EffectOf<typeof staffInvitationLife, 'open'>, 'audit: revoked'>

const joinEffects: Handlers<JoinEffect, [Joining], void> = {
  'make the account where there is none': async ({ tx, invitation: { email, emailKey }, person, now }) => {
    if (await isActivated(tx, email)) return
    if (person === undefined) throw fieldError('person', 'is required: this address has no account yet')
    const { fname, lname, phone, passwordHash } = person
    const open = { role: 'USER', status: 'ACTIVE', activatedAt: now, updatedAt: now } as const
    const made = { fname, lname, phone, passwordHash, ...open }
    const [user] = await tx
      .insert(users)
      .values({ id: randomUUID(), email, emailKey, createdAt: now, ...made })
      .onConflictDoUpdate({ target: users.emailKey, set: { ...made, version: sql`${users.version} + 1` } })
      .returning({ id: users.id })
    if (user === undefined) throw new Error('an account vanished between insert and update')
    await endSessions(tx, user.id)
    // Of whoever signed up with this address before.
    for (const purpose of ['activate', 'reset'] as const) await revokeTokens(tx, purpose, user.id)
  },
  'give its rights': async ({ tx, invitation: { emailKey, rights }, now }) => {
    await tx
      .update(users)
      .set({ rights, version: sql`${users.version} + 1`, updatedAt: now })
      .where(eq(users.emailKey, emailKey))
  },
  'audit: joined': async ({ tx, invitation: { email, rights } }) => {
    const user = await userByEmail(tx, email)
    if (user === undefined) return
    const { id: userId, fname, role } = user
    const by = { kind: 'user', userId, fname, role, rights, sessionId: SYSTEM, via: 'bearer' } as const
    await writeAuditEntry(tx, by, 'staff', userId, { before: null, after: { rights } })
  },
}

/** Of two concurrent uses of a link, one wins. */
async function consumeInvitation(tx: Tx, token: string, now: Date): Promise<InvitationRow> {
  const [used] = await tx
    .update(staffInvitations)
    .set({ usedAt: now })
    .where(
      and(
        eq(staffInvitations.tokenHash, hashToken(token)),
        isNull(staffInvitations.usedAt),
        gt(staffInvitations.expiresAt, now),
      ),
    )
    .returning()
  return used ?? openInvitation(tx, token, now)
}
