import type { ManagedUser } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import { and, eq, ne } from 'drizzle-orm'
import { accountColumns } from '#server/accounts/account-columns.ts'
import { endSessions } from '#server/accounts/sessions/sessions.ts'
import type { UserRow } from '#server/accounts/store.ts'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { storedColumns } from '#server/db/column-map.ts'
import { users } from '#server/db/schema/accounts.ts'
import { suppliers } from '#server/db/schema/suppliers.ts'
import { inByteOrder } from '#server/db/search-and-order.ts'
import { checkVersion } from '#server/http/optimistic-lock.ts'
import { assertConfirmed, type Principal } from '#server/identity/principal.ts'
import { managedUser } from './list-users.ts'
import type { UserPatch } from './user-patch.ts'

/**
 * Changes an account's names, role or status. Another role or status ends its sessions at once.
 * @throws ShopError `user.not_found`, `version.stale`, `conflict` for the last administrator and for oneself,
 *   `auth.forbidden` for a key that would change a role or an administrator, `auth.confirm` where role or status change
 */
export async function updateUser(
  deps: { db: Db; now: () => Date },
  principal: Principal,
  id: string,
  patch: Omit<UserPatch, 'version'>,
  version: number | undefined,
): Promise<ManagedUser> {
  return deps.db.transaction(async (tx) => {
    const user = await lockForManaging(tx, id)
    checkVersion(version, managedUser(user))
    const after = { ...user, ...patch }
    assertCanManage(principal, user, after)
    if (after.role !== user.role || after.status !== user.status) assertConfirmed(principal)
    if (after.role === 'SUPPLIER' && user.role !== 'SUPPLIER') await assertInvited(tx, id)
    if (isAdmin(user) && !isAdmin(after)) await assertAdminRemains(tx, principal, user)
    const [written] = await tx
      .update(users)
      .set({ ...storedColumns(accountColumns, patch), version: user.version + 1, updatedAt: deps.now() })
      .where(eq(users.id, id))
      .returning()
    if (written === undefined) throw userNotFound()
    if (written.role !== user.role || written.status !== user.status) await endSessions(tx, id)
    await writeAuditEntry(tx, principal, 'user', id, {
      before: managedUser(user),
      after: managedUser(written),
    })
    return managedUser(written)
  })
}

export const userNotFound = (): ShopError => new ShopError('user.not_found', 'There is no such user.')

const isAdmin = ({ role, status }: Pick<UserRow, 'role' | 'status'>): boolean =>
  role === 'ADMIN' && status === 'ACTIVE'

/**
 * Only signed-in administrators may change roles and other administrators: a leaked key must not create one, or lock
 * one out.
 * @throws ShopError `auth.forbidden`
 */
export function assertCanManage(principal: Principal, user: Pick<UserRow, 'role'>, after = user): void {
  if (principal.kind === 'user' || (user.role !== 'ADMIN' && after.role === user.role)) return
  throw new ShopError('auth.forbidden', 'Only an administrator who is signed in may do this, not a key.')
}

/** @throws ShopError `conflict` for an account of which nothing is known that records of suppliers need */
async function assertInvited(tx: Tx, id: string): Promise<void> {
  if ((await tx.$count(suppliers, eq(suppliers.userId, id))) > 0) return
  throw new ShopError('conflict', 'Suppliers can’t be made here: invite them on the page of suppliers.')
}

/** Locks administrators first and in one order, so that two who demote each other can't both succeed. */
export async function lockForManaging(tx: Tx, id: string): Promise<UserRow> {
  await tx
    .select({ id: users.id })
    .from(users)
    .where(eq(users.role, 'ADMIN'))
    .orderBy(inByteOrder(users.id))
    .for('update')
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for('update')
  if (user === undefined) throw userNotFound()
  return user
}

/** @throws ShopError `conflict`: the shop would be left without an administrator, or the principal without rights */
async function assertAdminRemains(tx: Tx, principal: Principal, user: UserRow): Promise<void> {
  if (principal.kind === 'user' && principal.userId === user.id)
    throw new ShopError('conflict', 'You can’t remove your own rights. Ask another administrator.')
  const others = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, 'ADMIN'), eq(users.status, 'ACTIVE'), ne(users.id, user.id)))
    .limit(1)
  if (others.length === 0) throw new ShopError('conflict', 'This is the last active administrator.')
}
