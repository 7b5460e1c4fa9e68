import type { Confirmation } from '@befaqt/domain/account'
import { ShopError } from '@befaqt/domain/errors'
import {
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { and, eq } from 'drizzle-orm'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { reauthenticationsByUser } from '#server/accounts/limits/limits.ts'
import { consume, reset } from '#server/accounts/limits/rate-limit.ts'
import { relyingParty, storeChallenge } from '#server/accounts/passkeys/passkey-challenges.ts'
import { verifiedCounter } from '#server/accounts/passkeys/passkey-sign-in.ts'
import { reauthenticate } from '#server/accounts/password/reauthenticate.ts'
import { passkeys, sessions } from '#server/db/schema/accounts.ts'

type Owner = { userId: string; sessionId: string }

/** The options for WebAuthn's `get()` with one of the account's own passkeys. @throws ShopError `conflict`: it has none */
export async function beginConfirmation(
  deps: AccountDeps,
  { userId }: Owner,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const allowCredentials = await deps.db
    .select({ id: passkeys.id, transports: passkeys.transports })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
  if (allowCredentials.length === 0)
    throw new ShopError('conflict', 'This account has no passkey. Please use its password.')
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(deps.config.PUBLIC_URL).id,
    userVerification: 'required',
    allowCredentials,
  })
  await storeChallenge(deps.db, options.challenge, userId, deps.now())
  return options
}

/**
 * Notes that the owner of a session has just confirmed with password or passkey that it is them, for the minutes to come
 * (`CONFIRMED_MINUTES`).
 * @throws ShopError `input.invalid` at `password`, `signin.refused` for a passkey, `rate.limited`
 */
export async function confirmIdentity(
  deps: AccountDeps,
  owner: Owner,
  { password, response }: Confirmation,
): Promise<void> {
  if (response === undefined) await reauthenticate(deps, owner.userId, password ?? '', 'password')
  else await confirmByPasskey(deps, owner, response)
  await deps.db.update(sessions).set({ confirmedAt: deps.now() }).where(eq(sessions.id, owner.sessionId))
}

async function confirmByPasskey(
  deps: AccountDeps,
  { userId }: Owner,
  response: NonNullable<Confirmation['response']>,
): Promise<void> {
  await consume(deps.db, reauthenticationsByUser(userId), deps.now())
  const own = and(eq(passkeys.id, response.id), eq(passkeys.userId, userId))
  const [passkey] = await deps.db.select().from(passkeys).where(own)
  if (passkey === undefined) throw new ShopError('signin.refused', 'This is not a passkey of this account.')
  const counter = await verifiedCounter(deps, { response }, passkey, userId)
  await deps.db.update(passkeys).set({ counter, lastUsedAt: deps.now() }).where(own)
  await reset(deps.db, reauthenticationsByUser(userId))
}
