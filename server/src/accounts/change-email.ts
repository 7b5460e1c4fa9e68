import { EmailChangeReply, NewEmail } from '@befaqt/domain/account'
import { EmailChangeAnswer, EmailChangeView } from '@befaqt/domain/api/account-api'
import * as account from '@befaqt/domain/api/endpoints/account'
import * as ownAccount from '@befaqt/domain/api/endpoints/own-account'
import { HOUR_MS } from '@befaqt/domain/durations'
import { ShopError } from '@befaqt/domain/errors'
import { LINK_HOURS } from '@befaqt/domain/link-hours'
import { and, eq, gt, isNotNull, isNull, ne, or } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Db, Tx } from '#server/db/client.ts'
import { emailChanges, users } from '#server/db/schema/accounts.ts'
import { isUniqueViolation } from '#server/db/sql-errors.ts'
import { fieldError } from '#server/http/field-error.ts'
import { Message } from '#server/http/response-schemas.ts'
import { defineRoutes, type Reads, registerReads, registerRoute } from '#server/http/route.ts'
import { requireUser } from '#server/identity/principal.ts'
import { type AccountDeps, emailKey, lockUser, type UserRow } from './account.ts'
import { mailAddressTaken, mailEmailChange, mailEmailChanged } from './account-emails.ts'
import { consume, emailsByRecipient, limitNotices, linksByNetwork, refund } from './limits.ts'
import { moveNotices } from './own-notices.ts'
import { type Client, clientOf } from './sessions/client.ts'
import { EMAIL_CHANGE_PAGE, hashToken, newToken, revokeTokens, withToken } from './tokens.ts'

const own = { access: 'user', limits: 'account' } as const

const endpoints = { ...ownAccount, readEmailChange: account.readEmailChange }

export const emailChangeOperations = defineRoutes(endpoints, {
  readEmailChange: {
    ...own,
    summary: 'The change of one’s own email that waits to be confirmed; null: there is none.',
    responses: { 200: EmailChangeView.nullable() },
  },
  changeEmail: {
    ...own,
    limits: 'mail',
    confirmed: true,
    summary:
      'Change own email: both addresses are asked by email, and it changes once both have confirmed it.',
    body: NewEmail,
    responses: { 202: EmailChangeView },
  },
  dropEmailChange: {
    ...own,
    summary: 'Drop the change that waits. 409 when both have confirmed it.',
    responses: { 200: Message },
  },
  answerEmailChange: {
    access: 'public',
    limits: 'link',
    summary: 'Confirm or drop the change of an account’s email by the token of an email.',
    body: EmailChangeReply,
    responses: { 200: EmailChangeAnswer },
  },
})

/** What these operations answer, over HTTP and to pages that are rendered here. */
export const emailChangeReads = {
  readEmailChange: (deps, { principal }) => readEmailChange(deps, requireUser(principal).userId),
} satisfies Reads<typeof emailChangeOperations, Pick<AccountDeps, 'db' | 'now'>>

/** The change of an account's email, which both its addresses confirm. Source: product.md. */
export function emailChangeRoutes(app: FastifyInstance, deps: AccountDeps): void {
  registerReads(app, emailChangeOperations, emailChangeReads, deps)
  registerRoute(app, emailChangeOperations.changeEmail, async ({ principal, body, request }) => {
    await limitNotices(deps, request)
    return beginEmailChange(deps, requireUser(principal).userId, body)
  })
  registerRoute(app, emailChangeOperations.dropEmailChange, async ({ principal }) => {
    await dropEmailChange(deps, requireUser(principal).userId)
    return { message: 'Your email stays as it is.' }
  })
  registerRoute(app, emailChangeOperations.answerEmailChange, ({ body, request }) =>
    answerEmailChange(deps, body, clientOf(request)),
  )
}

type Change = typeof emailChanges.$inferSelect

const view = (change: Change): EmailChangeView => ({
  email: change.email,
  oldConfirmed: change.oldConfirmedAt !== null,
  newConfirmed: change.newConfirmedAt !== null,
  until: change.expiresAt.toISOString(),
})

export async function readEmailChange(
  { db, now }: { db: Db; now: () => Date },
  userId: string,
): Promise<EmailChangeView | null> {
  const [found] = await db
    .select({ change: emailChanges })
    .from(emailChanges)
    .innerJoin(users, and(eq(users.id, emailChanges.userId), eq(users.emailKey, emailChanges.oldKey)))
    .where(and(eq(emailChanges.userId, userId), gt(emailChanges.expiresAt, now())))
  return found === undefined ? null : view(found.change)
}

/**
 * Asks both addresses. A change that waited is replaced, and its links end. An address that has an account already is told
 * so, and gets no link; who asks sees no difference.
 * @throws ShopError `input.invalid` at `email` for the present one, `rate.limited`, `auth.required` for an account that is
 *   gone
 */
export async function beginEmailChange(
  deps: AccountDeps,
  userId: string,
  { email }: NewEmail,
): Promise<EmailChangeView> {
  const [account] = await deps.db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  if (account === undefined) throw gone()
  if (emailKey(account.email) === emailKey(email)) throw fieldError('email', 'is the one that you have')
  for (const to of [account.email, email]) await consume(deps.db, emailsByRecipient(to), deps.now())
  return deps.db.transaction(async (tx) => {
    const user = await lockUser(tx, userId)
    if (user === undefined) throw gone()
    const [oldToken, newerToken] = [newToken(), newToken()]
    const expiresAt = new Date(deps.now().getTime() + LINK_HOURS['email-change'] * HOUR_MS)
    const change = {
      email,
      oldKey: user.emailKey,
      oldHash: hashToken(oldToken),
      newHash: hashToken(newerToken),
      oldConfirmedAt: null,
      newConfirmedAt: null,
      createdAt: deps.now(),
      expiresAt,
    }
    const [made] = await tx
      .insert(emailChanges)
      .values({ userId, ...change })
      .onConflictDoUpdate({ target: emailChanges.userId, set: change })
      .returning()
    if (made === undefined) throw new Error('a change of an email was inserted')
    const ask = (which: 'old' | 'new', to: string, token: string): Promise<void> => {
      const link = withToken(`${deps.config.PUBLIC_URL}${EMAIL_CHANGE_PAGE}`, token)
      return mailEmailChange(tx, deps, which, to, { link, goodUntil: expiresAt })
    }
    await ask('old', user.email, oldToken)
    if (await isTaken(tx, email)) await mailAddressTaken(tx, deps, email)
    else await ask('new', email, newerToken)
    return view(made)
  })
}

const gone = () => new ShopError('auth.required', 'Please log in.')

/** A sign-up with this address that nobody has activated: it is no account, and its owner has proved another way now. */
const isUnusedSignUp = (email: string) =>
  and(eq(users.emailKey, emailKey(email)), eq(users.status, 'INACTIVE'), isNull(users.activatedAt))

async function isTaken(tx: Tx, email: string): Promise<boolean> {
  const isUsed = or(ne(users.status, 'INACTIVE'), isNotNull(users.activatedAt))
  return (await tx.$count(users, and(eq(users.emailKey, emailKey(email)), isUsed))) > 0
}

/**
 * Keeps the email that the account has. Again, it answers the same.
 * @throws ShopError `conflict` when both addresses have confirmed the change meanwhile
 */
export async function dropEmailChange({ db }: { db: Db }, userId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const user = await lockUser(tx, userId)
    const isOf = eq(emailChanges.userId, userId)
    const [change] = await tx.select().from(emailChanges).where(isOf)
    if (change === undefined) return
    if (user?.emailKey !== change.oldKey)
      throw new ShopError(
        'conflict',
        'Both addresses have confirmed the change: the email is another one now.',
      )
    await tx.delete(emailChanges).where(isOf)
  })
}

/**
 * Says that a change is right, or drops it, by the link of either address. Again it answers the same; the second of both
 * changes the email, ends links that were sent to the old one, and tells both.
 * @throws ShopError `token.invalid`, `rate.limited`, `conflict` for an address that has an account by now
 */
export async function answerEmailChange(
  deps: AccountDeps,
  { token, isRight }: EmailChangeReply,
  client: Client,
): Promise<EmailChangeAnswer> {
  const limit = linksByNetwork(client.network)
  await consume(deps.db, limit, deps.now())
  const state = await deps.db
    .transaction(async (tx) => {
      const hash = hashToken(token)
      const isOf = or(eq(emailChanges.oldHash, hash), eq(emailChanges.newHash, hash))
      const [found] = await tx.select().from(emailChanges).where(isOf)
      const user = found && (await lockUser(tx, found.userId))
      // Read again under the account's lock: both may be answered at once.
      const [change] = user === undefined ? [] : await tx.select().from(emailChanges).where(isOf)
      if (user?.status !== 'ACTIVE' || change === undefined) throw unknown()
      return answer(tx, deps, { user, change, isOld: change.oldHash === hash, isRight })
    })
    .catch(rejectTaken)
  await refund(deps.db, limit)
  return { state }
}

function rejectTaken(cause: unknown): never {
  if (!isUniqueViolation(cause, 'users_emailKey_unique')) throw cause
  const message = 'There is an account with the new address by now. Yours stays as it is.'
  throw new ShopError('conflict', message, { cause })
}

type Answered = { user: UserRow; change: Change; isOld: boolean; isRight: boolean }

async function answer(
  tx: Tx,
  deps: AccountDeps,
  { user, change, isOld, isRight }: Answered,
): Promise<EmailChangeAnswer['state']> {
  const of = eq(emailChanges.userId, user.id)
  const isOpen = user.emailKey === change.oldKey
  if (!isOpen && isRight) return 'done'
  if (!isOpen) throw done()
  if (change.expiresAt <= deps.now()) throw expired()
  if (!isRight) {
    await tx.delete(emailChanges).where(of)
    return 'dropped'
  }
  const at = deps.now()
  const both = isOld ? change.newConfirmedAt !== null : change.oldConfirmedAt !== null
  await tx
    .update(emailChanges)
    .set(isOld ? { oldConfirmedAt: at } : { newConfirmedAt: at })
    .where(of)
  if (!both) return 'half'
  await tx.delete(users).where(isUnusedSignUp(change.email))
  await tx
    .update(users)
    .set({
      email: change.email,
      emailKey: emailKey(change.email),
      activatedAt: user.activatedAt ?? at, // an address was confirmed
      version: user.version + 1,
      updatedAt: at,
    })
    .where(eq(users.id, user.id))
  await moveNotices(tx, deps.secrets, user, change.email)
  await revokeTokens(tx, 'reset', user.id) // those were sent to the old address
  await mailEmailChanged(tx, deps, user.email, change.email)
  deps.log.info({ user: user.id }, 'changed the email of an account')
  return 'done'
}

const unknown = (): ShopError =>
  new ShopError('token.invalid', 'This link is not valid, or the change was dropped.', {
    details: { reason: 'unknown' },
  })

const done = (): ShopError =>
  new ShopError(
    'token.invalid',
    'The email was changed already. If it was not you, please contact us at once.',
    {
      details: { reason: 'used' },
    },
  )

const expired = (): ShopError =>
  new ShopError('token.invalid', 'This link has expired. The email stays as it is.', {
    details: { reason: 'expired' },
  })
