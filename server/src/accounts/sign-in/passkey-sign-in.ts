import type { PasskeySignIn } from '@befaqt/domain/account'
import { ShopError } from '@befaqt/domain/errors'
import {
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server'
import { eq } from 'drizzle-orm'
import { type AccountDeps, lockUser } from '#server/accounts/account.ts'
import { consume, refund, signInsByNetwork } from '#server/accounts/limits.ts'
import type { Client } from '#server/accounts/sessions/client.ts'
import { startSession } from '#server/accounts/sessions/sessions.ts'
import { passkeys, users } from '#server/db/schema/accounts.ts'
import { consumeChallenge, relyingParty, storeChallenge } from '../credentials/passkeys.ts'
import { accountHash, assertActive, noteSignIn, type SignedIn } from './sign-in.ts'

const unknownPasskey = (cause?: unknown) =>
  new ShopError('signin.refused', 'This passkey is not known to the shop.', { cause })

/** The options for WebAuthn's `get()`. They reveal no account. */
export async function beginPasskeySignIn(
  deps: AccountDeps,
  client: Client,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  await consume(deps.db, signInsByNetwork(client.network), deps.now())
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(deps.config.PUBLIC_URL).id,
    userVerification: 'required',
  })
  await storeChallenge(deps.db, options.challenge, null, deps.now())
  return options
}

type PasskeyRow = typeof passkeys.$inferSelect

/**
 * Signs in with a passkey. The device has checked finger, face or PIN, so it is both factors in one.
 * @throws ShopError `signin.refused`, `account.inactive`, `account.disabled`
 */
export async function passkeySignIn(
  deps: AccountDeps,
  input: PasskeySignIn,
  client: Client,
): Promise<SignedIn> {
  const [found] = await deps.db
    .select({ passkey: passkeys, email: users.email })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(passkeys.id, input.response.id))
  const account = found === undefined ? 'unknown passkey' : accountHash(deps.secrets, found.email)
  return noteSignIn(deps, client, account, () => checkAndSignIn(deps, input, client, found?.passkey))
}

async function checkAndSignIn(
  deps: AccountDeps,
  input: PasskeySignIn,
  client: Client,
  passkey: PasskeyRow | undefined,
): Promise<SignedIn> {
  if (passkey === undefined) throw unknownPasskey()
  const counter = await verifiedCounter(deps, input, passkey, null)
  const signedIn = await deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, passkey.userId)
    const used = await tx
      .update(passkeys)
      .set({ counter, lastUsedAt: deps.now() })
      .where(eq(passkeys.id, passkey.id))
      .returning({ id: passkeys.id })
    if (user === undefined || used.length === 0) throw unknownPasskey()
    assertActive(user)
    const session = await startSession(tx, user.id, client, deps.now(), true)
    return { ...session, user: { fname: user.fname, role: user.role } }
  })
  await refund(deps.db, signInsByNetwork(client.network))
  return signedIn
}

/**
 * The authenticator's new signature count.
 * @param owner for whom the challenge was made; null: for whoever signs in
 * @throws ShopError `signin.refused`
 */
export async function verifiedCounter(
  deps: AccountDeps,
  input: PasskeySignIn,
  passkey: PasskeyRow,
  owner: string | null,
): Promise<number> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(deps.config.PUBLIC_URL)
  const publicKey = new Uint8Array(Buffer.from(passkey.publicKey, 'base64url'))
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: input.response,
    expectedChallenge: (challenge) => consumeChallenge(deps.db, challenge, owner, deps.now()),
    expectedOrigin,
    expectedRPID,
    credential: { id: passkey.id, publicKey, counter: passkey.counter },
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw unknownPasskey(error)
  })
  if (!verified) throw unknownPasskey()
  return authenticationInfo.newCounter
}
