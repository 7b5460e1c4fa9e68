import type { PasskeyView } from '@befaqt/domain/api/account-api'
import { ShopError } from '@befaqt/domain/errors'
import type { NewPasskey } from '@befaqt/domain/passkey'
import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { and, desc, eq } from 'drizzle-orm'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { mailGuardChanged } from '#server/accounts/mails/account-mail.ts'
import { passwordAgain } from '#server/accounts/password/password-again.ts'
import { userById } from '#server/accounts/store.ts'
import type { Db } from '#server/db/client.ts'
import { passkeys } from '#server/db/schema/accounts.ts'
import { keepChallenge, relyingParty, spendChallenge } from './passkey-challenges.ts'

/** What every authenticator signs with: EdDSA, ES256 and RS256. Source: IANA COSE algorithms. */
const ALGORITHMS = [-8, -7, -257]

const refused = (cause?: unknown) =>
  new ShopError('input.invalid', 'The passkey was not accepted. Please try again.', { cause })

/**
 * What the browser needs to make a passkey. Takes the password: a passkey opens the account on its own.
 * @throws ShopError `input.invalid` at `password`, `rate.limited`
 */
export async function beginPasskey(
  deps: AccountDeps,
  userId: string,
  password: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const user = await passwordAgain(deps, userId, password, 'password')
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
  await keepChallenge(deps.db, options.challenge, userId, deps.now())
  return options
}

/**
 * Keeps a passkey that the browser made, and tells the owner.
 * @throws ShopError `input.invalid` when the challenge is not ours, has gone, or the signature is wrong
 */
export async function addPasskey(deps: AccountDeps, userId: string, input: NewPasskey): Promise<void> {
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(deps.config.PUBLIC_URL)
  const { registrationInfo } = await verifyRegistrationResponse({
    response: input.response,
    expectedChallenge: (challenge) => spendChallenge(deps.db, challenge, userId, deps.now()),
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: unknown) => {
    throw refused(error)
  })
  if (registrationInfo === undefined) throw refused()
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
    if (added.length === 0 || user === undefined) throw refused()
    await mailGuardChanged(tx, deps, user.email, 'passkey-added')
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

/** Takes a passkey out, and tells the owner. @throws ShopError `not_found`, also for somebody else's */
export async function removePasskey(deps: AccountDeps, userId: string, id: string): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const mine = and(eq(passkeys.userId, userId), eq(passkeys.id, id))
    const removed = await tx.delete(passkeys).where(mine).returning({ id: passkeys.id })
    const user = await userById(tx, userId)
    if (removed.length === 0 || user === undefined)
      throw new ShopError('not_found', 'This passkey was removed already.')
    await mailGuardChanged(tx, deps, user.email, 'passkey-removed')
  })
}
