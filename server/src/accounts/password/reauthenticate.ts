import { ShopError } from '@befaqt/domain/errors'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { reauthenticationsByUser } from '#server/accounts/limits/limits.ts'
import { consume, reset } from '#server/accounts/limits/rate-limit.ts'
import { type UserRow, userById } from '#server/accounts/store.ts'

/**
 * Verifies the password of a signed-in user again, before what somebody at an unlocked browser must not do.
 * @param path the field that it was typed into, for the error
 * @throws ShopError `input.invalid` at `path`, `rate.limited`
 */
export async function reauthenticate(
  deps: AccountDeps,
  userId: string,
  password: string,
  path: string,
): Promise<UserRow> {
  await consume(deps.db, reauthenticationsByUser(userId), deps.now())
  const user = await userById(deps.db, userId)
  const right = await deps.passwords.matches(password, user?.passwordHash)
  if (!right || user === undefined) {
    const message = 'the password is wrong'
    throw new ShopError('input.invalid', `${path}: ${message}`, { fields: [{ path, message }] })
  }
  await reset(deps.db, reauthenticationsByUser(userId))
  return user
}
