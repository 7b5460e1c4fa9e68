import { NewPasskey, Reauthentication } from '@befaqt/domain/account'
import { PasskeyView } from '@befaqt/domain/api/account-api'
import * as endpoints from '@befaqt/domain/api/endpoints/account'
import { ShopError } from '@befaqt/domain/errors'
import {
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { and, desc, eq, gt, isNull, lt } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type AccountDeps, userById } from '#server/accounts/account.ts'
import { mailSecurityEvent } from '#server/accounts/account-emails.ts'
import { limitNotices } from '#server/accounts/limits.ts'
import type { Db } from '#server/db/client.ts'
import { passkeys, webauthnChallenges } from '#server/db/schema/accounts.ts'
import { Message } from '#server/http/response-schemas.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { requireUser } from '#server/identity/principal.ts'
import { reauthenticate } from './passwords.ts'

const own = { access: 'user', limits: 'account' } as const

export const passkeyOperations = defineRoutes(endpoints, {
  listPasskeys: {
    ...own,
    summary: 'Own passkeys.',
    responses: { 200: z.array(PasskeyView) },
  },
  beginPasskey: {
    ...own,
    summary: 'Begin adding a passkey: what WebAuthn’s create() takes.',
    body: Reauthentication,
    responses: { 200: z.looseObject({ challenge: z.string() }) },
  },
  addPasskey: {
    ...own,
    summary: 'Add a passkey.',
    body: NewPasskey,
    responses: { 201: Message },
  },
  removePasskey: {
    confirmed: true,
    ...own,
    summary: 'Remove a passkey.',
    responses: { 200: Message },
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const passkeyReads = {
  listPasskeys: ({ db }, { principal }) => listPasskeys(db, requireUser(principal).userId),
} satisfies Reads<typeof passkeyOperations, Pick<AccountDeps, 'db'>>

/** The passkeys of one's own account; those who sign in with one come to `sign-in/routes.ts`. */
export function passkeyRoutes(app: FastifyInstance, deps: AccountDeps): void {
  registerReads(app, passkeyOperations, passkeyReads, deps)
  registerRoute(app, passkeyOperations.beginPasskey, async ({ principal, body }) => ({
    ...(await beginPasskey(deps, requireUser(principal).userId, body.password)),
  }))
  registerRoute(app, passkeyOperations.addPasskey, async ({ principal, body, request }) => {
    await limitNotices(deps, request)
    await addPasskey(deps, requireUser(principal).userId, body)
    return { message: 'The passkey was added.' }
  })
  registerRoute(app, passkeyOperations.removePasskey, async ({ principal, params, request }) => {
    await limitNotices(deps, request)
    await removePasskey(deps, requireUser(principal).userId, params.id)
    return { message: 'The passkey was removed.' }
  })
}

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

/** Lifetime of a challenge in seconds: time to find the phone or the security key. */
const CHALLENGE_S = 300

/** The site that passkeys are bound to. Source: WebAuthn §4 'Relying Party Identifier'. */
export function relyingParty(publicUrl: string): { id: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl)
  return { id: hostname, origin }
}

/** Stores a challenge that we sent. `userId`: who registers a passkey; null: somebody signs in. */
export async function storeChallenge(
  db: Db,
  challenge: string,
  userId: string | null,
  now: Date,
): Promise<void> {
  await db.delete(webauthnChallenges).where(lt(webauthnChallenges.expiresAt, now))
  const expiresAt = new Date(now.getTime() + CHALLENGE_S * 1_000)
  await db.insert(webauthnChallenges).values({ challenge, userId, expiresAt })
}

/** Did this shop issue it for this purpose, and has it not expired? Each challenge is accepted once. */
export async function consumeChallenge(
  db: Db,
  challenge: string,
  userId: string | null,
  now: Date,
): Promise<boolean> {
  const mine = userId === null ? isNull(webauthnChallenges.userId) : eq(webauthnChallenges.userId, userId)
  const consumed = await db
    .delete(webauthnChallenges)
    .where(and(eq(webauthnChallenges.challenge, challenge), mine, gt(webauthnChallenges.expiresAt, now)))
    .returning({ challenge: webauthnChallenges.challenge })
  return consumed.length > 0
}
