import { domainToASCII } from 'node:url'
import type { Account } from '@befaqt/domain/account'
import { eq } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Passwords } from '#server/accounts/credentials/passwords.ts'
import type { Config } from '#server/config/config.ts'
import type { Db, Tx } from '#server/db/client.ts'
import type { ColumnMap } from '#server/db/column-map.ts'
import { users } from '#server/db/schema/accounts.ts'
import type { EmailTexts } from '#server/mail/email-content.ts'
import type { Secrets } from '#server/secrets/secrets.ts'

/** Dependencies of account actions. */
export type AccountDeps = {
  config: Pick<
    Config,
    'PUBLIC_URL' | 'DATA_DIR' | 'ADMIN_EMAIL' | 'ADMIN_PASSWORD' | 'REQUIRE_SECOND_FACTOR' | 'API_ORIGINS'
  >
  db: Db
  log: Logger
  now: () => Date
  secrets: Secrets
  passwords: Passwords
  /** With the shop's name, for emails and authenticator apps. */
} & EmailTexts

/** What people and managers edit or see of an account, each column once. What proves who one is stays out of it. */
export const accountColumns = {
  table: users,
  columns: {
    fname: { column: 'fname' },
    lname: { column: 'lname', sort: { key: 'name', by: users.search } },
    email: { column: 'email', sort: { key: 'email', by: users.emailKey } },
    phone: { column: 'phone' },
    role: { column: 'role', sort: { key: 'role', by: users.role } },
    status: { column: 'status', sort: { key: 'status', by: users.status } },
  },
} as const satisfies ColumnMap<typeof users, Omit<Account, '_id'>>

export type UserRow = typeof users.$inferSelect

/** The account with this address, ignoring case. */
export async function userByEmail(db: Db | Tx, email: string): Promise<UserRow | undefined> {
  const [user] = await db
    .select()
    .from(users)
    .where(eq(users.emailKey, emailKey(email)))
  return user
}

export async function userById(db: Db | Tx, id: string): Promise<UserRow | undefined> {
  const [user] = await db.select().from(users).where(eq(users.id, id))
  return user
}

/** Reads and locks the account until the transaction ends. */
export async function lockUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  const [user] = await tx.select().from(users).where(eq(users.id, id)).for('update')
  return user
}

/**
 * The normalized address that identifies an account: lower case, NFC, the domain in its ASCII form (RFC 5891). Plus
 * tags and dots stay: only the mail host knows which mailbox they belong to.
 */
export function emailKey(email: string): string {
  const normal = email.normalize('NFC').toLowerCase()
  const at = normal.lastIndexOf('@')
  const domain = normal.slice(at + 1)
  return `${normal.slice(0, at)}@${domainToASCII(domain) || domain}`
}
