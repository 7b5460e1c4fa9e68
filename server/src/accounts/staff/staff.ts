import { ShopError } from '@befaqt/domain/errors'
import { MAX_STAFF } from '@befaqt/domain/limits'
import type { Right } from '@befaqt/domain/rights'
import type { StaffList, StaffMember } from '@befaqt/domain/staff'
import { asc, eq, exists, isNull, sql } from 'drizzle-orm'
import { type AccountDeps, lockUser } from '#server/accounts/account.ts'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { isStaff, passkeys, staffInvitations, users } from '#server/db/schema/accounts.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import type { Principal } from '#server/identity/principal.ts'
import { invitationView } from './invite-staff.ts'

type Member = Pick<
  typeof users.$inferSelect,
  'id' | 'fname' | 'lname' | 'email' | 'role' | 'rights' | 'status' | 'version' | 'totpConfirmedAt'
>

const member = (user: Member, hasPasskey: boolean): StaffMember => ({
  _id: user.id,
  name: `${user.fname} ${user.lname}`,
  email: user.email,
  role: user.role,
  rights: user.rights,
  status: user.status,
  version: user.version,
  hasSecondFactor: user.totpConfirmedAt !== null || hasPasskey,
})

const passkeyOf = (db: Db | Tx) =>
  db.select({ n: sql`1` }).from(passkeys).where(eq(passkeys.userId, users.id))

/** Who works at the desk: owners first, then by name; and open or lapsed invitations, newest last. */
export async function listStaff({ db, now }: Pick<AccountDeps, 'db' | 'now'>): Promise<StaffList> {
  const found = await db
    .select({ user: users, hasPasskey: sql<boolean>`${exists(passkeyOf(db))}` })
    .from(users)
    .where(isStaff)
    .orderBy(sql`${users.role} <> 'ADMIN'`, asc(users.search), asc(users.id))
    .limit(2 * MAX_STAFF)
  const invitations = await db
    .select()
    .from(staffInvitations)
    .where(isNull(staffInvitations.usedAt))
    .orderBy(asc(staffInvitations.createdAt), asc(staffInvitations.id))
    .limit(MAX_STAFF)
  return {
    people: found.map(({ user, hasPasskey }) => member(user, hasPasskey)),
    invitations: invitations.map((row) => invitationView(row, now())),
  }
}

/**
 * Gives somebody other rights at the desk, or none. It holds with their next request: sessions stay, since who looks at
 * a screen meanwhile is told there that it is not theirs any more.
 * @throws ShopError `user.not_found`, `version.stale`, `conflict` for an owner, who has all rights, and for somebody who
 *   was never staff: they are invited, so that the address agrees
 */
export async function setStaffRights(
  { db, now }: Pick<AccountDeps, 'db' | 'now'>,
  principal: Principal,
  id: string,
  rights: readonly Right[],
  version: number | undefined,
): Promise<StaffMember> {
  return db.transaction(async (tx) => {
    const user = await lockUser(tx, id)
    if (user === undefined) throw new ShopError('user.not_found', 'There is no such user.')
    const hasPasskey = (await tx.$count(passkeys, eq(passkeys.userId, id))) > 0
    checkVersion(version, member(user, hasPasskey))
    if (user.role === 'ADMIN')
      throw new ShopError(
        'conflict',
        'An administrator has all rights: change the role on the page of users.',
      )
    if (user.rights.length === 0)
      throw new ShopError('conflict', 'This account does not work at the desk: invite its address.')
    const [written] = await tx
      .update(users)
      .set({ rights: [...rights], version: user.version + 1, updatedAt: now() })
      .where(eq(users.id, id))
      .returning()
    await writeAuditEntry(tx, principal, 'staff', id, {
      before: { rights: user.rights },
      after: { rights: [...rights] },
    })
    return member({ ...user, ...written }, hasPasskey)
  })
}
