import { randomUUID } from 'node:crypto'
import type { SignUp } from '@befaqt/domain/account'
import { eq } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import type { AccountDeps } from './account-deps.ts'
import { mailActivation, mailAddressTaken } from './account-mail.ts'
import type { Client } from './client.ts'
import { emailKey } from './email-key.ts'
import { mailsTo, signUpsFrom } from './limits.ts'
import { issueToken } from './one-time-tokens.ts'
import { ACTIVATION_PAGE, linkWith, ownLinkBase } from './own-link.ts'
import { take } from './rate-limit.ts'
import type { UserRow } from './store.ts'

type Person = { fname: string; lname: string; phone: string; passwordHash: string }

/** Was this account made by a sign-up whose link nobody has opened yet? */
export const awaitsActivation = (user: UserRow): boolean =>
  user.status === 'INACTIVE' && user.activatedAt === null

/**
 * Makes an account that waits for its activation link, and queues the mail with it. For an address that has an
 * account nothing changes and its owner is told by mail; the caller can't see the difference.
 * @throws ShopError `link.foreign_origin`, `rate.limited`
 */
export async function signUp(deps: AccountDeps, input: SignUp, client: Client): Promise<void> {
  const base = ownLinkBase(deps.config.PUBLIC_URL, input.actLink, 'actLink', ACTIVATION_PAGE)
  await take(deps.db, signUpsFrom(client.network), deps.now())
  await take(deps.db, mailsTo(input.email), deps.now())
  const passwordHash = await deps.passwords.hash(input.password)
  const person = { fname: input.fname, lname: input.lname, phone: input.phone, passwordHash }
  await deps.db.transaction(async (tx) => {
    const user = await insertOrLock(tx, input.email, person, deps.now())
    if (!awaitsActivation(user)) return mailAddressTaken(tx, deps, user.email)
    await tx.update(users).set(person).where(eq(users.id, user.id))
    const token = await issueToken(tx, 'activate', { userId: user.id, signUp: person }, deps.now())
    await mailActivation(tx, deps, user.email, linkWith(base, token))
  })
}

/** Of two sign-ups at once with one address the second waits here for the first and finds its account. */
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
