import { randomUUID } from 'node:crypto'
import type { FirstAdmin } from '@befaqt/domain/account'
import { ShopError } from '@befaqt/domain/errors'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { AccountDeps } from '#server/accounts/account-deps.ts'
import { emailKey } from '#server/accounts/email-key.ts'
import { linksFrom } from '#server/accounts/limits/limits.ts'
import { giveBack, take } from '#server/accounts/limits/rate-limit.ts'
import { FIRST_ADMIN_PAGE, linkWith } from '#server/accounts/mails/own-link.ts'
import { checkToken, issueToken, spendToken } from '#server/accounts/one-time-tokens.ts'
import type { Client } from '#server/accounts/sessions/client.ts'
import { endSessions } from '#server/accounts/sessions/sessions.ts'
import { rows, type Tx } from '#server/db/client.ts'
import { oneTimeTokens, users } from '#server/db/schema/accounts.ts'

/** Only one process at a time decides whether there is an admin. */
const FIRST_ADMIN_LOCK = 4_207_311

const oneAtATime = (tx: Tx) => rows(tx, sql`select pg_advisory_xact_lock(${FIRST_ADMIN_LOCK})`)

async function hasAdmin(tx: Tx): Promise<boolean> {
  const [admin] = await tx.select({ id: users.id }).from(users).where(eq(users.role, 'ADMIN')).limit(1)
  return admin !== undefined
}

/**
 * Sees to the first administrator at start: made from ADMIN_EMAIL and ADMIN_PASSWORD, or else a one-time link to
 * print. Nothing happens once there is one. Source: product.md, running.md.
 * @returns the link, when one is needed; links of earlier starts no longer work
 */
export async function ensureFirstAdmin(deps: AccountDeps): Promise<string | undefined> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password, PUBLIC_URL } = deps.config
  const passwordHash =
    email !== undefined && password !== undefined ? await deps.passwords.hash(password) : undefined
  return deps.db.transaction(async (tx) => {
    await oneAtATime(tx)
    if (await hasAdmin(tx)) return undefined
    if (email !== undefined && passwordHash !== undefined) {
      await makeAdmin(tx, { fname: 'Admin', lname: 'Admin', phone: '', email, passwordHash }, deps.now())
      return undefined
    }
    const unused = and(eq(oneTimeTokens.purpose, 'first-admin'), isNull(oneTimeTokens.usedAt))
    await tx.delete(oneTimeTokens).where(unused)
    const token = await issueToken(tx, 'first-admin', { userId: null }, deps.now())
    return linkWith(`${PUBLIC_URL}${FIRST_ADMIN_PAGE}`, token)
  })
}

/**
 * Makes the first administrator by the printed link. Nothing is hashed for who does not hold an open one.
 * @throws ShopError `token.invalid`, also when there is an administrator by now, `rate.limited`
 */
export async function setUpFirstAdmin(deps: AccountDeps, input: FirstAdmin, client: Client): Promise<void> {
  const limit = linksFrom(client.network)
  await take(deps.db, limit, deps.now())
  await checkToken(deps.db, 'first-admin', input.token, deps.now())
  const passwordHash = await deps.passwords.hash(input.password)
  await deps.db.transaction(async (tx) => {
    await oneAtATime(tx)
    await spendToken(tx, 'first-admin', input.token, deps.now())
    if (await hasAdmin(tx)) throw new ShopError('token.invalid', 'There is an administrator already.')
    await makeAdmin(tx, { ...input, passwordHash }, deps.now())
  })
  await giveBack(deps.db, limit)
}

type Person = { fname: string; lname: string; phone: string; email: string; passwordHash: string }

/** The operator's word counts: an account that somebody made with this address before is taken over. */
async function makeAdmin(tx: Tx, person: Person, now: Date): Promise<void> {
  const { fname, lname, phone, email, passwordHash } = person
  const open = { role: 'ADMIN', status: 'ACTIVE', activatedAt: now, updatedAt: now } as const
  const kept = { fname, lname, phone, email, passwordHash, ...open }
  const alone = { totpSecret: null, totpConfirmedAt: null, totpLastStep: null }
  const [admin] = await tx
    .insert(users)
    .values({ ...kept, id: randomUUID(), emailKey: emailKey(email), createdAt: now })
    .onConflictDoUpdate({ target: users.emailKey, set: { ...kept, ...alone } })
    .returning({ id: users.id })
  if (admin !== undefined) await endSessions(tx, admin.id)
}
