import { ChangePassword, ForgotPassword, ResetPassword } from '@befaqt/domain/account'
import * as endpoints from '@befaqt/domain/api/endpoints/sign-in'
import { ShopError } from '@befaqt/domain/errors'
import { eq } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { type AccountDeps, lockUser, type UserRow, userByEmail, userById } from '#server/accounts/account.ts'
import { mailPasswordChanged, mailRecovery } from '#server/accounts/account-emails.ts'
import {
  consume,
  emailsByRecipient,
  limitNotices,
  linksByNetwork,
  recoveriesByNetwork,
  refund,
} from '#server/accounts/limits.ts'
import { type Client, clientOf, deviceTokenOrNew, setDeviceCookie } from '#server/accounts/sessions/client.ts'
import { endSessions, rememberDevice } from '#server/accounts/sessions/sessions.ts'
import { assertActive } from '#server/accounts/sign-in/sign-in.ts'
import { isAwaitingActivation } from '#server/accounts/sign-up/sign-up.ts'
import {
  checkToken,
  consumeToken,
  issueToken,
  RESET_PAGE,
  revokeTokens,
  sameOriginUrl,
  withToken,
} from '#server/accounts/tokens.ts'
import type { Tx } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { Message } from '#server/http/response-schemas.ts'
import { defineRoutes, registerRoute } from '#server/http/route.ts'
import { requireUser } from '#server/identity/principal.ts'
import { assertNotGuessedFirst, reauthenticate } from '../credentials/passwords.ts'

const passwordOperations = defineRoutes(endpoints, {
  changePassword: {
    summary: 'Change own password; other sessions end.',
    access: 'user',
    limits: 'account',
    body: ChangePassword,
    responses: { 200: Message },
  },
  forgotPassword: {
    summary: 'Ask for a recovery email.',
    access: 'public',
    limits: 'mail',
    body: ForgotPassword,
    responses: { 200: Message },
    errors: [404],
  },
  resetPassword: {
    summary: 'Set a new password by the token of the email.',
    access: 'public',
    limits: 'link',
    body: ResetPassword,
    responses: { 201: Message },
  },
})

/** A new password, by the old one or by email. Status codes: spec §7. */
export function passwordRoutes(app: FastifyInstance, deps: AccountDeps): void {
  registerRoute(app, passwordOperations.changePassword, async ({ principal, body, request }) => {
    await limitNotices(deps, request)
    await changePassword(deps, requireUser(principal), body)
    return { message: 'The password was changed.' }
  })
  registerRoute(app, passwordOperations.forgotPassword, async ({ body, request }) => {
    await forgotPassword(deps, body, clientOf(request))
    return { message: 'A recovery email was sent.' }
  })
  registerRoute(app, passwordOperations.resetPassword, async ({ body, request, reply }) => {
    const device = await resetPassword(deps, body, clientOf(request))
    setDeviceCookie(reply, deps.config, device.deviceToken)
    return { message: 'Password Reset Done' }
  })
}

/**
 * Changes the password, ends all other sessions and notifies the owner.
 * @throws ShopError `input.invalid` at `currentPassword`, or at `password` for one that is guessed first, `rate.limited`
 */
export async function changePassword(
  deps: AccountDeps,
  principal: { userId: string; sessionId: string },
  input: ChangePassword,
): Promise<void> {
  const before = await reauthenticate(deps, principal.userId, input.currentPassword, 'currentPassword')
  assertNotGuessedFirst(input.password, before.email, deps.siteFile.name)
  const passwordHash = await deps.passwords.hash(input.password)
  await deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, principal.userId)
    if (user?.passwordHash !== before.passwordHash)
      throw new ShopError('conflict', 'The password was changed in the meantime.')
    await tx.update(users).set({ passwordHash, updatedAt: deps.now() }).where(eq(users.id, user.id))
    await endSessions(tx, user.id, principal.sessionId)
    await revokeTokens(tx, 'reset', user.id)
    await mailPasswordChanged(tx, deps, user.email)
  })
}

/**
 * Sends a link to set a new password. Says when there is no such account, because the specification does (§8);
 * limits per network and per recipient keep that from being used to enumerate accounts.
 * @throws ShopError `user.not_found`, `link.foreign_origin`, `rate.limited`
 */
export async function forgotPassword(
  deps: AccountDeps,
  input: ForgotPassword,
  client: Client,
): Promise<void> {
  const base = sameOriginUrl(deps.config.PUBLIC_URL, input.resetPasswordLink, 'resetPasswordLink', RESET_PAGE)
  await consume(deps.db, recoveriesByNetwork(client.network), deps.now())
  await consume(deps.db, emailsByRecipient(input.email), deps.now())
  await deps.db.transaction(async (tx) => {
    const user = await userByEmail(tx, input.email)
    if (user === undefined) throw new ShopError('user.not_found', 'No account has this email address.')
    const token = await issueToken(tx, 'reset', { userId: user.id }, deps.now())
    await mailRecovery(tx, deps, user.email, withToken(base, token))
  })
}

/**
 * Sets a new password by an emailed link, ends all sessions and notifies the owner. The link verifies the address, so it
 * also activates an account that was waiting for that, and makes this browser a known device.
 * @returns the device token, for its cookie
 * @throws ShopError `token.invalid`, `rate.limited`, `input.invalid` at `password` for one that is guessed first,
 *   `account.inactive` or `account.disabled` where the shop ended the account: a new password would open nothing
 */
export async function resetPassword(
  deps: AccountDeps,
  input: ResetPassword,
  client: Client,
): Promise<{ deviceToken: string }> {
  const limit = linksByNetwork(client.network)
  await consume(deps.db, limit, deps.now())
  const owner = await checkToken(deps.db, 'reset', input.emailToken, deps.now())
  const user = owner.userId === null ? undefined : await userById(deps.db, owner.userId)
  assertNotGuessedFirst(input.password, user?.email ?? '', deps.siteFile.name)
  const passwordHash = await deps.passwords.hash(input.password)
  const deviceToken = deviceTokenOrNew(client.deviceToken)
  await deps.db.transaction(async (tx) => {
    const { userId } = await consumeToken(tx, 'reset', input.emailToken, deps.now())
    const user = userId === null ? undefined : await lockUser(tx, userId)
    if (user === undefined) throw new ShopError('token.invalid', 'This link is not valid.')
    if (!isAwaitingActivation(user)) assertActive(user)
    await replacePassword(tx, deps, user, passwordHash)
    await rememberDevice(tx, user.id, deviceToken, deps.now())
  })
  await refund(deps.db, limit)
  return { deviceToken }
}

async function replacePassword(
  tx: Tx,
  deps: AccountDeps,
  user: UserRow,
  passwordHash: string,
): Promise<void> {
  const now = deps.now()
  const opened = isAwaitingActivation(user) ? ({ status: 'ACTIVE', activatedAt: now } as const) : {}
  await tx
    .update(users)
    .set({ passwordHash, ...opened, updatedAt: now })
    .where(eq(users.id, user.id))
  await endSessions(tx, user.id)
  await revokeTokens(tx, 'reset', user.id)
  await revokeTokens(tx, 'activate', user.id)
  await mailPasswordChanged(tx, deps, user.email)
}
