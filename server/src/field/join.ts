import { randomUUID } from 'node:crypto'
import type { Invited } from '@befaqt/domain/api/field-api'
import { carryOut, type EffectOf, type Handlers } from '@befaqt/domain/life'
import { type JoinInput, partyOf } from '@befaqt/domain/supplier'
import { and, eq, gt, isNull } from 'drizzle-orm'
import {
  type AccountDeps,
  assertNotGuessedFirst,
  assertOpenLink,
  type Client,
  consume,
  endSessions,
  hashToken,
  linksByNetwork,
  refund,
} from '#server/accounts/index.ts'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { invitations, suppliers } from '#server/db/schema/suppliers.ts'
import { SYSTEM } from '#server/identity/principal.ts'
import { assertCanJoin, type InvitationRow, invitationLife } from './invite-supplier.ts'

/** Whom the link is for. @throws ShopError `token.invalid`, `rate.limited` */
export async function readInvitation(deps: AccountDeps, token: string, client: Client): Promise<Invited> {
  const limit = linksByNetwork(client.network)
  await consume(deps.db, limit, deps.now())
  const { email, fisher, expiresAt } = await openInvitation(deps.db, token, deps.now())
  await refund(deps.db, limit)
  return { email, traderName: fisher.traderName, expiresAt: expiresAt.toISOString() }
}

async function openInvitation(db: Db | Tx, token: string, now: Date): Promise<InvitationRow> {
  const [row] = await db
    .select()
    .from(invitations)
    .where(eq(invitations.tokenHash, hashToken(token)))
  return assertOpenLink(row, now)
}

/**
 * Makes the account of an invited supplier. Whoever has the link reads the emails of its address, as with a recovery: an
 * account that is there gets the role and the new password, keeps its second factor and loses its sessions.
 * @throws ShopError `token.invalid`, `conflict`, `rate.limited`
 */
export async function joinAsSupplier(
  deps: AccountDeps,
  input: JoinInput,
  client: Client,
): Promise<{ email: string }> {
  const limit = linksByNetwork(client.network)
  await consume(deps.db, limit, deps.now())
  const invited = await openInvitation(deps.db, input.token, deps.now())
  assertNotGuessedFirst(input.password, invited.email, deps.siteFile.name)
  const passwordHash = await deps.passwords.hash(input.password)
  const now = deps.now()
  const email = await deps.db.transaction(async (tx) => {
    const invitation = await consumeInvitation(tx, input.token, now)
    await assertCanJoin(tx, invitation.email)
    const { effects } = invitationLife.open.join
    const joining = { tx, input, invitation, passwordHash, now }
    const [userId = ''] = await carryOut(effects, account, joining)
    await carryOut(effects, followUps, { ...joining, userId })
    return invitation.email
  })
  await refund(deps.db, limit)
  return { email }
}

type Joining = { tx: Tx; input: JoinInput; invitation: InvitationRow; passwordHash: string; now: Date }
type JoinEffect = EffectOf<typeof invitationLife, 'open'>

const account = {
  'make the account': async ({ tx, input, invitation: { email, emailKey }, passwordHash, now }) => {
    const { fname, lname, phone } = input
    const open = { role: 'SUPPLIER', status: 'ACTIVE', activatedAt: now, updatedAt: now } as const
    const person = { fname, lname, phone, passwordHash, ...open }
    const [user] = await tx
      .insert(users)
      .values({ id: randomUUID(), email, emailKey, createdAt: now, ...person })
      .onConflictDoUpdate({ target: users.emailKey, set: person })
      .returning({ id: users.id })
    if (user === undefined) throw new Error('an account vanished between insert and update')
    return user.id
  },
} satisfies Partial<Handlers<JoinEffect, [Joining], string>>

const followUps: Handlers<
  Exclude<JoinEffect, keyof typeof account | 'audit: revoked'>,
  [Joining & { userId: string }],
  unknown
> = {
  'end its sessions': ({ tx, userId }) => endSessions(tx, userId),
  'make it a supplier': ({ tx, invitation: { fisher }, userId, now }) => {
    const identity = { fisher, party: partyOf(fisher) }
    return tx
      .insert(suppliers)
      .values({ userId, ...identity, createdAt: now })
      .onConflictDoUpdate({ target: suppliers.userId, set: identity })
  },
  'audit: joined': ({ tx, input: { fname }, invitation: { fisher }, userId }) => {
    const by = {
      kind: 'user',
      userId,
      fname,
      role: 'SUPPLIER',
      rights: [],
      sessionId: SYSTEM,
      via: 'bearer',
    } as const
    return writeAuditEntry(tx, by, 'supplier', userId, { before: null, after: { fisher } })
  },
}

/** Of two concurrent uses of a link, one wins. */
async function consumeInvitation(tx: Tx, token: string, now: Date): Promise<InvitationRow> {
  const [used] = await tx
    .update(invitations)
    .set({ usedAt: now })
    .where(
      and(
        eq(invitations.tokenHash, hashToken(token)),
        isNull(invitations.usedAt),
        gt(invitations.expiresAt, now),
      ),
    )
    .returning()
  return used ?? openInvitation(tx, token, now)
}
