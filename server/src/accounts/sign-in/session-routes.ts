import { Confirmation } from '@befaqt/domain/account'
import { SessionView } from '@befaqt/domain/api/account-api'
import * as endpoints from '@befaqt/domain/api/endpoints/account'
import { ShopError } from '@befaqt/domain/errors'
import {
  generateAuthenticationOptions,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { and, eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { AccountDeps } from '#server/accounts/account.ts'
import { relyingParty, storeChallenge } from '#server/accounts/credentials/passkeys.ts'
import { reauthenticate } from '#server/accounts/credentials/passwords.ts'
import { consume, reauthenticationsByUser, reset } from '#server/accounts/limits.ts'
import { verifiedCounter } from '#server/accounts/sign-in/passkey-sign-in.ts'
import { noteSecurity } from '#server/audit/security-log.ts'
import { passkeys, sessions } from '#server/db/schema/accounts.ts'
import { Message } from '#server/http/response-schemas.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { requireUser } from '#server/identity/principal.ts'
import { clearSessionCookie } from '../sessions/client.ts'
import { endSession, endSessions, listSessions } from '../sessions/sessions.ts'

const own = { access: 'user', limits: 'account' } as const

export const sessionOperations = defineRoutes(endpoints, {
  listSessions: {
    ...own,
    summary: 'Own sessions.',
    responses: { 200: z.array(SessionView) },
  },
  endOtherSessions: {
    ...own,
    confirmed: true,
    summary: 'End all other sessions.',
    responses: { 200: Message },
  },
  endSession: {
    ...own,
    confirmed: true,
    summary: 'End one session.',
    responses: { 200: Message },
  },
  beginConfirmation: {
    ...own,
    limits: 'sign-in',
    summary: 'Begin confirming with a passkey: what WebAuthn’s get() takes.',
    responses: { 200: z.looseObject({ challenge: z.string() }) },
  },
  confirmIdentity: {
    ...own,
    limits: 'sign-in',
    summary:
      'Confirm with password or passkey that it is you: for ten minutes nothing answers auth.confirm. Keys are never asked.',
    body: Confirmation,
    responses: { 200: Message },
  },
  signOut: {
    summary: 'End this session.',
    access: 'public',
    limits: 'sign-in',
    responses: { 200: z.strictObject({ signedOut: z.boolean() }) },
    errors: [404],
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const sessionReads = {
  listSessions: ({ db, now }, { principal }) => {
    const { userId, sessionId } = requireUser(principal)
    return listSessions(db, userId, sessionId, now())
  },
} satisfies Reads<typeof sessionOperations, Pick<AccountDeps, 'db' | 'now'>>

/** The user's own sessions; the present one ends by signing out. */
export function sessionRoutes(app: FastifyInstance, deps: AccountDeps): void {
  registerReads(app, sessionOperations, sessionReads, deps)
  registerRoute(app, sessionOperations.endOtherSessions, async ({ principal }) => {
    const { userId, sessionId } = requireUser(principal)
    await endSessions(deps.db, userId, sessionId)
    return { message: 'Logged out everywhere else.' }
  })
  registerRoute(app, sessionOperations.endSession, async ({ principal, params }) => {
    await endSession(deps.db, requireUser(principal).userId, params.id)
    return { message: 'The session has ended.' }
  })
  registerRoute(app, sessionOperations.beginConfirmation, async ({ principal }) => ({
    ...(await beginConfirmation(deps, requireUser(principal))),
  }))
  registerRoute(app, sessionOperations.confirmIdentity, async ({ principal, body }) => {
    await confirmIdentity(deps, requireUser(principal), body).catch((error: unknown) => {
      if (error instanceof ShopError) noteConfirmation(error)
      throw error
    })
    noteConfirmation(null)
    return { message: 'Thank you.' }
  })
  registerRoute(app, sessionOperations.signOut, async ({ principal, reply }) => {
    if (principal.kind === 'user') await endSession(deps.db, principal.userId, principal.sessionId)
    clearSessionCookie(reply, deps.config)
    return { signedOut: true }
  })
}

const noteConfirmation = (error: ShopError | null): void =>
  noteSecurity({
    what: 'step-up',
    outcome: error === null ? 'done' : error.code === 'rate.limited' ? 'locked' : 'refused',
    detail: error?.code ?? null,
  })

type Owner = { userId: string; sessionId: string }

/** The options for WebAuthn's `get()` with one of the account's own passkeys. @throws ShopError `conflict`: it has none */
async function beginConfirmation(
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
async function confirmIdentity(
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
