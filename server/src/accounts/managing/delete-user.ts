import { ShopError } from '@befaqt/domain/errors'
import { eq } from 'drizzle-orm'
import { redactDeletedAccounts, redactOrderEmails } from '#server/accounts/redact-deleted-accounts.ts'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Db } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import type { Principal } from '#server/identity/principal.ts'
import { managedUser } from './list-users.ts'
import { assertCanManage, lockForManaging } from './update-user.ts'

/**
 * Deletes a DISABLED account with its sessions, codes and passkeys, and all other personal data, also who its orders
 * were for. The audit log only says which account was deleted, when and by whom.
 * @throws ShopError `user.not_found`, `delete.not_disabled`, `auth.forbidden` for a key and an administrator's account
 */
export async function deleteUser(deps: { db: Db }, principal: Principal, id: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const user = await lockForManaging(tx, id)
    assertCanManage(principal, user)
    if (user.status !== 'DISABLED')
      throw new ShopError('delete.not_disabled', 'Only a DISABLED user can be deleted.')
    await redactOrderEmails(tx, id)
    await tx.delete(users).where(eq(users.id, id))
    await writeAuditEntry(tx, principal, 'user', id, { before: managedUser(user), after: null })
    await redactDeletedAccounts(tx)
  })
}
