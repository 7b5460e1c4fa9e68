import type { NewPasskey } from '@befaqt/domain/account'
import type { PasskeyView } from '@befaqt/domain/api/account-api'
import { ShopError } from '@befaqt/domain/errors'
import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { and, desc, eq } from 'drizzle-orm'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { mailSecurityEvent } from '#server/accounts/emails/account-emails.ts'
import { reauthenticate } from '#server/accounts/password/reauthenticate.ts'
import { userById } from '#server/accounts/store.ts'
import type { Db } from '#server/db/client.ts'
import { passkeys } from '#server/db/schema/accounts.ts'
import { consumeChallenge, relyingParty, storeChallenge } from './passkey-challenges.ts'

/** EdDSA, ES256 and RS256, at least one of which every authenticator supports. Source: IANA COSE algorithms. */
const ALGORITHMS = [-8, -7, -257]

const notAccepted = (cause?: unknown) =>
  new ShopError('input.invalid', 'The passkey was not accepted. Please try again.', { cause })

/**
 * The options for WebAuthn's `create()`. Needs the password, since a passkey signs in without it.
 * @throws ShopError `input.invalid` at `password`, `rate.limited`
 */
export async function beginPasskey(
  deps: AccountDeps,
  userId: string,
  password: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const user = await reauthenticate(deps, userId, password, 'password')
  const present = await deps.db
    .select({ id: passkeys.id, transports: passkeys.transports })
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
  const options = await generateRegistrationOptions({
    rpName: deps.siteFile.name,
    rpID: relyingParty(deps.config.PUBLIC_URL).id,
    userName: user.email,
    userDisplayName: `${user.fname} ${user.lname}`,
    userID: new Uint8Array(Buffer.from(user.id)),
    excludeCredentials: present,
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await storeChallenge(deps.db, options.challenge, userId, deps.now())
  return options
}

/**
 * Stores a passkey that the browser created, and notifies the owner.
 * @throws ShopError `input.invalid` when the challenge is unknown or expired, or the signature is wrong
 */
export async function addPasskey(deps: AccountDeps, userId: string, input: NewPasskey): Promise<void> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(deps.config.PUBLIC_URL)
  const { registrationInfo } = await verifyRegistrationResponse({
    response: input.response,
    expectedChallenge: (challenge) => consumeChallenge(deps.db, challenge, userId, deps.now()),
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: unknown) => {
    throw notAccepted(error)
  })
  if (registrationInfo === undefined) throw notAccepted()
  const { credential, credentialBackedUp: backedUp } = registrationInfo
  const publicKey = Buffer.from(credential.publicKey).toString('base64url')
  const { id, counter, transports = [] } = credential
  await deps.db.transaction(async (tx) => {
    const key = {
      id,
      userId,
      name: input.name,
      publicKey,
      counter,
      transports,
      backedUp,
      createdAt: deps.now(),
    }
    const added = await tx.insert(passkeys).values(key).onConflictDoNothing().returning({ id: passkeys.id })
    const user = await userById(tx, userId)
    if (added.length === 0 || user === undefined) throw notAccepted()
    await mailSecurityEvent(tx, deps, user.email, 'passkey-added')
  })
}

/** The account's passkeys, newest first. */
export async function listPasskeys(db: Db, userId: string): Promise<PasskeyView[]> {
  const mine = await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(desc(passkeys.createdAt))
  return mine.map(({ id, name, createdAt, lastUsedAt }) => ({
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }))
}

/** Removes a passkey and notifies the owner. @throws ShopError `not_found`, also for somebody else's */
export async function removePasskey(deps: AccountDeps, userId: string, id: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const mine = and(eq(passkeys.userId, userId), eq(passkeys.id, id))
    const removed = await tx.delete(passkeys).where(mine).returning({ id: passkeys.id })
    const user = await userById(tx, userId)
    if (removed.length === 0 || user === undefined)
      throw new ShopError('not_found', 'This passkey was removed already.')
    await mailSecurityEvent(tx, deps, user.email, 'passkey-removed')
  })
}
