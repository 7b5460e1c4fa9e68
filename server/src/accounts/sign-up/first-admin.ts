import { randomUUID } from 'node:crypto'
import type { FirstAdmin } from '@befaqt/domain/account'
import { ShopError } from '@befaqt/domain/errors'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { type AccountDeps, emailKey } from '#server/accounts/account.ts'
import { assertNotGuessedFirst, guessedFirst } from '#server/accounts/credentials/passwords.ts'
import { consume, linksByNetwork, refund } from '#server/accounts/limits.ts'
import type { Client } from '#server/accounts/sessions/client.ts'
import { endSessions } from '#server/accounts/sessions/sessions.ts'
import { checkToken, consumeToken, FIRST_ADMIN_PAGE, issueToken, withToken } from '#server/accounts/tokens.ts'
import { configError } from '#server/config/listen.ts'
import { advisoryLocks, lockUntilCommit } from '#server/db/advisory-locks.ts'
import type { Tx } from '#server/db/client.ts'
import { oneTimeTokens, users } from '#server/db/schema/accounts.ts'

async function hasAdmin(tx: Tx): Promise<boolean> {
  const [admin] = await tx.select({ id: users.id }).from(users).where(eq(users.role, 'ADMIN')).limit(1)
  return admin !== undefined
}

/**
 * Creates the first administrator at the start, from ADMIN_EMAIL and ADMIN_PASSWORD, or else issues a one-time link to
 * print. Does nothing once there is one. Source: product.md, running.md.
 * @param keepLink a link that is open stays: somebody works with it
 * @returns the link, when one is needed and none stays; links of earlier starts are revoked
 * @throws Error for the operator where ADMIN_PASSWORD is one that is guessed first
 */
export async function ensureFirstAdmin(deps: AccountDeps, keepLink = false): Promise<string | undefined> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password, PUBLIC_URL } = deps.config
  return deps.db.transaction(async (tx) => {
    await lockUntilCommit(tx, advisoryLocks.firstAdmin)
    if (await hasAdmin(tx)) return undefined
    if (email !== undefined && password !== undefined) {
      const guessed = guessedFirst(password, email, deps.siteFile.name)
      if (guessed !== undefined) throw configError(`ADMIN_PASSWORD: ${guessed}`, undefined)
      const passwordHash = await deps.passwords.hash(password)
      await createAdmin(tx, { fname: 'Admin', lname: 'Admin', phone: '', email, passwordHash }, deps.now())
      return undefined
    }
    const unused = and(eq(oneTimeTokens.purpose, 'first-admin'), isNull(oneTimeTokens.usedAt))
    const stays = and(unused, gt(oneTimeTokens.expiresAt, deps.now()))
    if (keepLink && (await tx.$count(oneTimeTokens, stays)) > 0) return undefined
    await tx.delete(oneTimeTokens).where(unused)
    const token = await issueToken(tx, 'first-admin', { userId: null }, deps.now())
    return withToken(`${PUBLIC_URL}${FIRST_ADMIN_PAGE}`, token)
  })
}

/**
 * Creates the first administrator by the printed link. Without a valid link no password is hashed.
 * @throws ShopError `token.invalid`, also when there is an administrator already, `rate.limited`
 */
export async function setUpFirstAdmin(deps: AccountDeps, input: FirstAdmin, client: Client): Promise<void> {
  const limit = linksByNetwork(client.network)
  await consume(deps.db, limit, deps.now())
  await checkToken(deps.db, 'first-admin', input.token, deps.now())
  assertNotGuessedFirst(input.password, input.email, deps.siteFile.name)
  const passwordHash = await deps.passwords.hash(input.password)
  await deps.db.transaction(async (tx) => {
    await lockUntilCommit(tx, advisoryLocks.firstAdmin)
    await consumeToken(tx, 'first-admin', input.token, deps.now())
    if (await hasAdmin(tx)) throw new ShopError('token.invalid', 'There is an administrator already.')
    await createAdmin(tx, { ...input, passwordHash }, deps.now())
  })
  await refund(deps.db, limit)
}

type Person = { fname: string; lname: string; phone: string; email: string; passwordHash: string }

/** An account that somebody created with this address before is overwritten: the operator decides. */
async function createAdmin(tx: Tx, person: Person, now: Date): Promise<void> {
  const { fname, lname, phone, email, passwordHash } = person
  const open = { role: 'ADMIN', status: 'ACTIVE', activatedAt: now, updatedAt: now } as const
  const kept = { fname, lname, phone, email, passwordHash, ...open }
  const alone = { rights: [], totpSecret: null, totpConfirmedAt: null, totpLastStep: null }
  const [admin] = await tx
    .insert(users)
    .values({ ...kept, id: randomUUID(), emailKey: emailKey(email), createdAt: now })
    .onConflictDoUpdate({ target: users.emailKey, set: { ...kept, ...alone } })
    .returning({ id: users.id })
  if (admin !== undefined) await endSessions(tx, admin.id)
}
