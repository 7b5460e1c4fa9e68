import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { signInsFrom, signInsTo, signInsToFrom } from '#server/accounts/limits/limits.ts'
import { forget, giveBack, type Limit, take } from '#server/accounts/limits/rate-limit.ts'
import type { Client } from '#server/accounts/sessions/client.ts'
import { isKnownDevice } from '#server/accounts/sessions/known-devices.ts'
import { hashToken } from '#server/accounts/tokens.ts'

/** What a sign-in counts against. `own`: of this account from here; `wider`: of the account and of the address. */
type SignInLimits = { own: Limit; wider: readonly Limit[] }

/**
 * A browser that the account knows is counted alone: however many strangers guess, its owner gets in with it. From
 * elsewhere all that guess at the account share a limit, whose longest wait is a quarter of an hour; a recovery
 * mail makes any browser a known one.
 */
async function limitsOf(deps: AccountDeps, email: string, client: Client): Promise<SignInLimits> {
  const { deviceToken, network } = client
  if (deviceToken !== undefined && (await isKnownDevice(deps.db, email, deviceToken)))
    return { own: signInsToFrom(email, `device ${hashToken(deviceToken)}`), wider: [] }
  return { own: signInsToFrom(email, network), wider: [signInsTo(email), signInsFrom(network)] }
}

/**
 * Counts a sign-in before its password is looked at.
 * @returns to be called when the password was right: the try no longer counts
 * @throws ShopError `rate.limited`; then nothing was counted
 */
export async function guardSignIn(
  deps: AccountDeps,
  email: string,
  client: Client,
): Promise<() => Promise<void>> {
  const { own, wider } = await limitsOf(deps, email, client)
  const taken: Limit[] = []
  try {
    for (const limit of [own, ...wider]) {
      await take(deps.db, limit, deps.now())
      taken.push(limit)
    }
  } catch (error) {
    await Promise.all(taken.map((limit) => giveBack(deps.db, limit)))
    throw error
  }
  return async () => {
    await forget(deps.db, own)
    await Promise.all(wider.map((limit) => giveBack(deps.db, limit)))
  }
}
