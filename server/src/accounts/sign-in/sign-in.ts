import type { SignIn } from '@befaqt/domain/account'
import { ShopError } from '@befaqt/domain/errors'
import type { Role } from '@befaqt/domain/fields'
import { and, eq } from 'drizzle-orm'
import { type AccountDeps, emailKey, lockUser, type UserRow, userByEmail } from '#server/accounts/account.ts'
import { consumeSecondFactor } from '#server/accounts/credentials/second-factor.ts'
import {
  codesByUser,
  consume,
  type RateLimit,
  refund,
  reset,
  signInsByAccount,
  signInsByAccountAndClient,
  signInsByNetwork,
} from '#server/accounts/limits.ts'
import type { Client } from '#server/accounts/sessions/client.ts'
import { isKnownDevice, type NewSession, startSession } from '#server/accounts/sessions/sessions.ts'
import { isAwaitingActivation } from '#server/accounts/sign-up/sign-up.ts'
import { hashToken } from '#server/accounts/tokens.ts'
import { noteSecurity } from '#server/audit/security-log.ts'
import { users } from '#server/db/schema/accounts.ts'

/** The new session and its user. */
export type SignedIn = NewSession & { user: { fname: string; role: Role } }

const badCredentials = () => new ShopError('signin.refused', 'Email or password is wrong.')

/**
 * Signs in with email, password and, where it is on, the second factor. An unknown address and a wrong password give
 * the same error after the same time; that an account is not active is revealed only to whoever has its password.
 * @returns null when the password is right and a code is required
 * @throws ShopError `signin.refused`, `twofa.refused`, `account.inactive`, `account.disabled`, `rate.limited`
 */
export async function signIn(deps: AccountDeps, input: SignIn, client: Client): Promise<SignedIn | null> {
  const account = accountHash(deps.secrets, input.email)
  return noteSignIn(deps, client, account, () => checkAndSignIn(deps, input, client))
}

/** An account in the log: nobody reads an address there, and all lines of one account have the same hash. */
export const accountHash = (secrets: AccountDeps['secrets'], email: string): string =>
  secrets.hmac(emailKey(email), 'account in the log').slice(0, 16)

/** Logs who signed in, or was refused and why, from where. Source: ASVS 16.2.1 and 16.3.1. */
export async function noteSignIn<Done extends SignedIn | null>(
  { log }: Pick<AccountDeps, 'log'>,
  { network, device }: Client,
  account: string,
  signIn: () => Promise<Done>,
): Promise<Done> {
  const about = { account, network, agent: device }
  try {
    const done = await signIn()
    log.info(about, done === null ? 'sign-in needs the second factor' : 'signed in')
    return done
  } catch (error) {
    if (error instanceof ShopError) {
      log.info({ ...about, code: error.code }, 'sign-in refused')
      const outcome = error.code === 'rate.limited' ? 'locked' : 'refused'
      noteSecurity({ what: 'sign-in', outcome, who: `account:${account}`, detail: error.code })
    }
    throw error
  }
}

async function checkAndSignIn(deps: AccountDeps, input: SignIn, client: Client): Promise<SignedIn | null> {
  const refundLimits = await consumeSignInLimits(deps, input.email, client)
  const user = await userByEmail(deps.db, input.email)
  const right = await deps.passwords.matches(input.password, user?.passwordHash)
  if (!right || user === undefined) throw badCredentials()
  await refundLimits()
  assertActive(user)
  if (user.totpConfirmedAt !== null && !input.twoFaToken) return null
  await rehash(deps, user, input.password)
  return completeSignIn(deps, user, input.twoFaToken ?? undefined, client)
}

/** @throws ShopError `account.inactive`, details `{ canResend }`, or `account.disabled` */
export function assertActive(user: UserRow): void {
  if (user.status === 'DISABLED') throw new ShopError('account.disabled', 'This account is disabled.')
  if (user.status === 'ACTIVE') return
  const canResend = isAwaitingActivation(user)
  const message = canResend
    ? 'This account is not active yet. Open the link in the activation email.'
    : 'This account is not active.'
  throw new ShopError('account.inactive', message, { details: { canResend } })
}

/** Rehashes a password that was just verified, when its hash has an outdated cost. */
async function rehash(deps: AccountDeps, user: UserRow, password: string): Promise<void> {
  if (!deps.passwords.isOutdated(user.passwordHash)) return
  const passwordHash = await deps.passwords.hash(password)
  const unchanged = and(eq(users.id, user.id), eq(users.passwordHash, user.passwordHash))
  const updated = await deps.db
    .update(users)
    .set({ passwordHash })
    .where(unchanged)
    .returning({ id: users.id })
  if (updated.length > 0) user.passwordHash = passwordHash
}

/**
 * Consumes the code and starts the session in one transaction that locks the account, so that no session starts after
 * a change of password or status has ended them all.
 */
async function completeSignIn(
  deps: AccountDeps,
  user: UserRow,
  code: string | undefined,
  client: Client,
): Promise<SignedIn> {
  if (user.totpConfirmedAt !== null) await consume(deps.db, codesByUser(user.id), deps.now())
  const session = await deps.db.transaction(async (tx) => {
    const now = await lockUser(tx, user.id)
    if (now === undefined || now.passwordHash !== user.passwordHash) throw badCredentials()
    assertActive(now)
    if (now.totpConfirmedAt !== null && !(await consumeSecondFactor(tx, deps, now, code ?? '')))
      throw new ShopError('twofa.refused', 'The code is wrong or was used before.')
    return startSession(tx, user.id, client, deps.now())
  })
  if (user.totpConfirmedAt !== null) await reset(deps.db, codesByUser(user.id))
  return { ...session, user: { fname: user.fname, role: user.role } }
}

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
async function consumeSignInLimits(
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
