import type { AccountDeps } from '#server/accounts/account-deps.ts'
import {
  signInsByAccount,
  signInsByAccountAndClient,
  signInsByNetwork,
} from '#server/accounts/limits/limits.ts'
import { consume, type RateLimit, refund, reset } from '#server/accounts/limits/rate-limit.ts'
import type { Client } from '#server/accounts/sessions/client.ts'
import { isKnownDevice } from '#server/accounts/sessions/known-devices.ts'
import { hashToken } from '#server/accounts/tokens.ts'

/** The limits of a sign-in. `own`: of this account and client; `wider`: of the account and of the network. */
type SignInLimits = { own: RateLimit; wider: readonly RateLimit[] }

/**
 * A known browser has a limit of its own: however many strangers guess, the owner can sign in with it. All others that
 * guess at the account share a limit, whose longest delay is a quarter of an hour; password recovery makes any browser
 * a known one.
 */
async function limitsOf(deps: AccountDeps, email: string, client: Client): Promise<SignInLimits> {
  const { deviceToken, network } = client
  if (deviceToken !== undefined && (await isKnownDevice(deps.db, email, deviceToken)))
    return { own: signInsByAccountAndClient(email, `device ${hashToken(deviceToken)}`), wider: [] }
  return {
    own: signInsByAccountAndClient(email, network),
    wider: [signInsByAccount(email), signInsByNetwork(network)],
  }
}

/**
 * Counts a sign-in before its password is verified.
 * @returns a function to call when the password was right, which refunds the attempt
 * @throws ShopError `rate.limited`; then nothing is counted
 */
export async function consumeSignInLimits(
  deps: AccountDeps,
  email: string,
  client: Client,
): Promise<() => Promise<void>> {
  const { own, wider } = await limitsOf(deps, email, client)
  const consumed: RateLimit[] = []
  try {
    for (const limit of [own, ...wider]) {
      await consume(deps.db, limit, deps.now())
      consumed.push(limit)
    }
  } catch (error) {
    await Promise.all(consumed.map((limit) => refund(deps.db, limit)))
    throw error
  }
  return async () => {
    await reset(deps.db, own)
    await Promise.all(wider.map((limit) => refund(deps.db, limit)))
  }
}
