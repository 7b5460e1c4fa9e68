import type { Account, ProfileInput } from '@befaqt/domain/account'
import type { ProfileView } from '@befaqt/domain/api/account-api'
import { ShopError } from '@befaqt/domain/errors'
import { eq } from 'drizzle-orm'
import { accountColumns } from '#server/accounts/account-columns.ts'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { emailKey } from '#server/accounts/email-key.ts'
import { lockUser, type UserRow, userById } from '#server/accounts/store.ts'
import { recoveryCodesLeft } from '#server/accounts/two-factor/recovery-codes.ts'
import type { Db } from '#server/db/client.ts'
import { shownFields, storedColumns } from '#server/db/column-map.ts'
import { users } from '#server/db/schema/accounts.ts'

/** An account as its owner and managers may see it: no credentials. */
export const accountView = (user: UserRow): Account => ({
  _id: user.id,
  ...shownFields(accountColumns, user),
})

const gone = () => new ShopError('auth.required', 'Please log in.')

/** The user's own account. @throws ShopError `auth.required` when it was deleted in the meantime */
export async function readProfile(db: Db, userId: string): Promise<ProfileView> {
  const user = await userById(db, userId)
  if (user === undefined) throw gone()
  return {
    ...accountView(user),
    twoFa: user.totpConfirmedAt !== null,
    recoveryCodesLeft: await recoveryCodesLeft(db, userId),
  }
}

/**
 * Changes the names and phone of the user's own account, and nothing else. The email is shown but not editable
 * (spec §2): the current one may be sent along, another is rejected.
 * @throws ShopError `input.invalid` at `email`
 */
export async function updateProfile(
  deps: AccountDeps,
  userId: string,
  input: ProfileInput,
): Promise<ProfileView> {
  await deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId)
    if (user === undefined) throw gone()
    if (input.email !== undefined && emailKey(input.email) !== user.emailKey) {
      const message = 'email cannot be changed'
      throw new ShopError('input.invalid', `email: ${message}`, { fields: [{ path: 'email', message }] })
    }
    const { email: _, ...typed } = input
    await tx
      .update(users)
      .set({ ...storedColumns(accountColumns, typed), version: user.version + 1, updatedAt: deps.now() })
      .where(eq(users.id, userId))
  })
  return readProfile(deps.db, userId)
}
