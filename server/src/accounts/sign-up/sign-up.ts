import { randomUUID } from 'node:crypto'
import { Activate, ActivationAgain, FirstAdmin, SignUp } from '@befaqt/domain/account'
import * as endpoints from '@befaqt/domain/api/endpoints/sign-in'
import { ShopError } from '@befaqt/domain/errors'
import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type AccountDeps, emailKey, lockUser, type UserRow, userByEmail } from '#server/accounts/account.ts'
import { mailActivation, mailAddressTaken } from '#server/accounts/account-emails.ts'
import { assertNotGuessedFirst } from '#server/accounts/credentials/passwords.ts'
import {
  activationsByNetwork,
  consume,
  emailsByRecipient,
  linksByNetwork,
  refund,
  signUpsByNetwork,
} from '#server/accounts/limits.ts'
import { type Client, clientOf } from '#server/accounts/sessions/client.ts'
import {
  ACTIVATION_PAGE,
  consumeToken,
  issueToken,
  revokeTokens,
  sameOriginUrl,
  withToken,
} from '#server/accounts/tokens.ts'
import type { Tx } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { Message } from '#server/http/response-schemas.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import { setUpFirstAdmin } from './first-admin.ts'

const call = { access: 'public' } as const

const signUpOperations = defineRoutes(endpoints, {
  signUp: {
    ...call,
    summary: 'Create an account; an activation email follows.',
    limits: 'mail',
    body: SignUp,
    responses: { 201: Message },
  },
  activate: {
    ...call,
    summary: 'Activate an account by the token of the email.',
    limits: 'link',
    body: Activate,
    responses: { 200: z.strictObject({ email: z.string() }) },
  },
  sendActivationAgain: {
    ...call,
    summary: 'Send the activation email again.',
    limits: 'mail',
    body: ActivationAgain,
    responses: { 202: Message },
  },
  setUpFirstAdmin: {
    ...call,
    summary: 'Set up the first administrator by the printed link.',
    limits: 'link',
    body: FirstAdmin,
    responses: { 201: Message },
  },
})

/** Sign-up and activation. Status codes: spec §7. */
export function signUpRoutes(app: FastifyInstance, deps: AccountDeps): void {
  registerRoute(app, signUpOperations.signUp, async ({ body, request }) => {
    await signUp(deps, body, clientOf(request))
    return { message: 'An activation email was sent.' }
  })
  registerRoute(app, signUpOperations.activate, ({ body, request }) =>
    activate(deps, body, clientOf(request)),
  )
  registerRoute(app, signUpOperations.sendActivationAgain, async ({ body, request }) => {
    await resendActivation(deps, body, clientOf(request))
    return { message: 'If an account waits for it, an activation email was sent.' }
  })
  registerRoute(app, signUpOperations.setUpFirstAdmin, async ({ body, request }) => {
    await setUpFirstAdmin(deps, body, clientOf(request))
    return { message: 'The administrator was made.' }
  })
}

type Person = { fname: string; lname: string; phone: string; passwordHash: string }

/** Was this account created by a sign-up whose link was never used? */
export const isAwaitingActivation = (user: UserRow): boolean =>
  user.status === 'INACTIVE' && user.activatedAt === null

/**
 * Creates an inactive account and queues the email with its activation link. For an address that has an account already
 * nothing changes and its owner is notified by email; the caller can't see the difference.
 * @throws ShopError `link.foreign_origin`, `rate.limited`, `input.invalid` at `password` for one that is guessed first
 */
export async function signUp(deps: AccountDeps, input: SignUp, client: Client): Promise<void> {
  const base = sameOriginUrl(deps.config.PUBLIC_URL, input.actLink, 'actLink', ACTIVATION_PAGE)
  assertNotGuessedFirst(input.password, input.email, deps.siteFile.name)
  await consume(deps.db, signUpsByNetwork(client.network), deps.now())
  await consume(deps.db, emailsByRecipient(input.email), deps.now())
  const passwordHash = await deps.passwords.hash(input.password)
  const person = { fname: input.fname, lname: input.lname, phone: input.phone, passwordHash }
  await deps.db.transaction(async (tx) => {
    const user = await insertOrLock(tx, input.email, person, deps.now())
    if (!isAwaitingActivation(user)) return mailAddressTaken(tx, deps, user.email)
    await tx.update(users).set(person).where(eq(users.id, user.id))
    const token = await issueToken(tx, 'activate', { userId: user.id, signUp: person }, deps.now())
    await mailActivation(tx, deps, user.email, withToken(base, token))
  })
}

/** Of two concurrent sign-ups with one address the second waits here for the first and finds its account. */
async function insertOrLock(tx: Tx, email: string, person: Person, now: Date): Promise<UserRow> {
  const key = emailKey(email)
  const fresh = { id: randomUUID(), email, emailKey: key, role: 'USER', status: 'INACTIVE' } as const
  await tx
    .insert(users)
    .values({ ...person, ...fresh, createdAt: now, updatedAt: now })
    .onConflictDoNothing({ target: users.emailKey })
  const [user] = await tx.select().from(users).where(eq(users.emailKey, key)).for('update')
  if (user === undefined) throw new Error('an account vanished between insert and select')
  return user
}

/**
 * Activates the account of an activation link, with the names and password of the sign-up that the link was sent for:
 * a stranger who signs up with somebody's address can't get his own password activated by the link that the owner
 * requested. Links of other sign-ups are revoked.
 * @throws ShopError `token.invalid`, `account.disabled`, `rate.limited`
 */
export async function activate(
  deps: AccountDeps,
  input: Activate,
  client: Client,
): Promise<{ email: string }> {
  const limit = linksByNetwork(client.network)
  await consume(deps.db, limit, deps.now())
  const email = await deps.db.transaction(async (tx) => {
    const { userId, signUp } = await consumeToken(tx, 'activate', input.token, deps.now())
    const user = userId === null ? undefined : await lockUser(tx, userId)
    if (user === undefined) throw new ShopError('token.invalid', 'This link is not valid.')
    if (user.status === 'DISABLED') throw new ShopError('account.disabled', 'This account is disabled.')
    if (isAwaitingActivation(user)) {
      const opened = { status: 'ACTIVE', activatedAt: deps.now(), updatedAt: deps.now() } as const
      await tx
        .update(users)
        .set({ ...signUp, ...opened })
        .where(eq(users.id, user.id))
    }
    await revokeTokens(tx, 'activate', user.id)
    return user.email
  })
  await refund(deps.db, limit)
  return { email }
}

export const ACTIVATION_QUEUE = 'account.activation-again'

const Job = z.object({ email: z.string(), base: z.string() })

/**
 * Sends the activation email again. A job looks up the account, so that the response and its timing do not reveal
 * whether it exists.
 * @throws ShopError `link.foreign_origin`, `rate.limited`
 */
export async function resendActivation(
  deps: AccountDeps,
  input: ActivationAgain,
  client: Client,
): Promise<void> {
  const base = sameOriginUrl(deps.config.PUBLIC_URL, input.actLink, 'actLink', ACTIVATION_PAGE)
  await consume(deps.db, activationsByNetwork(client.network), deps.now())
  await consume(deps.db, emailsByRecipient(input.email), deps.now())
  await enqueue(deps.db, ACTIVATION_QUEUE, { email: input.email, base })
}

/** The job: sends a new link when the account awaits activation. */
export const resendActivationJob =
  (deps: AccountDeps): JobHandler =>
  async (payload) => {
    const { email, base } = Job.parse(payload)
    await deps.db.transaction(async (tx) => {
      const user = await userByEmail(tx, email)
      if (user === undefined || !isAwaitingActivation(user)) return
      const { fname, lname, phone, passwordHash } = user
      const signUp = { fname, lname, phone, passwordHash }
      const token = await issueToken(tx, 'activate', { userId: user.id, signUp }, deps.now())
      await mailActivation(tx, deps, user.email, withToken(base, token))
    })
  }
