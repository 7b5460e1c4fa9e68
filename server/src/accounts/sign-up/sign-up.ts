import { randomUUID } from 'node:crypto'
import type { SignUp } from '@befaqt/domain/account'
import { eq } from 'drizzle-orm'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { emailKey } from '#server/accounts/email-key.ts'
import { mailActivation, mailAddressTaken } from '#server/accounts/emails/account-emails.ts'
import { ACTIVATION_PAGE, sameOriginUrl, withToken } from '#server/accounts/emails/same-origin-url.ts'
import { emailsByRecipient, signUpsByNetwork } from '#server/accounts/limits/limits.ts'
import { consume } from '#server/accounts/limits/rate-limit.ts'
import { issueToken } from '#server/accounts/one-time-tokens.ts'
import { assertNotGuessedFirst } from '#server/accounts/password/frequent-passwords.ts'
import type { Client } from '#server/accounts/sessions/client.ts'
import type { UserRow } from '#server/accounts/store.ts'
import type { Tx } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'

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
