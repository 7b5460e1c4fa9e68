import { ShopError } from '@befaqt/domain/errors'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { passwordsAgainOf } from '#server/accounts/limits/limits.ts'
import { forget, take } from '#server/accounts/limits/rate-limit.ts'
import { type UserRow, userById } from '#server/accounts/store.ts'

/**
 * Asks the owner of a session for the password again, before what a borrowed browser must not do.
 * @param path the field that it was typed into, for the refusal
 * @throws ShopError `input.invalid` at `path`, `rate.limited`
 */
export async function passwordAgain(
  deps: AccountDeps,
  userId: string,
  password: string,
  path: string,
): Promise<UserRow> {
  await take(deps.db, passwordsAgainOf(userId), deps.now())
  const user = await userById(deps.db, userId)
  const right = await deps.passwords.matches(password, user?.passwordHash)
  if (!right || user === undefined) {
    const message = 'the password is wrong'
    throw new ShopError('input.invalid', `${path}: ${message}`, { fields: [{ path, message }] })
  }
  await forget(deps.db, passwordsAgainOf(userId))
  return user
}
