import { randomUUID } from 'node:crypto'
import type { Role } from '@befaqt/domain/fields'
import pino from 'pino'
import { type AccountDeps, emailKey } from '#server/accounts/account.ts'
import { argon2Passwords } from '#server/accounts/credentials/passwords.ts'
import type { Client } from '#server/accounts/sessions/client.ts'
import { openSessionStore, type SessionStore } from '#server/accounts/sessions/session-store.ts'
import { ACTIVATION_QUEUE, resendActivationJob } from '#server/accounts/sign-up/sign-up.ts'
import { readConfig } from '#server/config/config.ts'
import { users } from '#server/db/schema/accounts.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import type { EmailMessage } from '#server/mail/mailer.ts'
import { MAIL_QUEUE, sendMailJob } from '#server/mail/send-email.ts'
import { secretsOf } from '#server/secrets/secrets.ts'
import { SiteSettings, setupOf } from '#server/site/settings.ts'
import { readSiteFile } from '#server/site/site.ts'
import { type TestDb, testDb } from './database.ts'

/** The lowest cost of argon2: tests check authentication, not the cost of guessing. */
export const cheapPasswords = argon2Passwords({ memoryCost: 8, timeCost: 1, parallelism: 1 })

export const somewhere: Client = {
  address: '203.0.113.7',
  network: '203.0.113.7',
  device: 'Firefox on Linux',
  deviceToken: undefined,
}

/** Accounts on a test database, with a clock that can be moved and a mailbox. */
export type TestAccounts = AsyncDisposable & {
  deps: AccountDeps & { sessions: SessionStore }
  /** Moves the clock. */
  wait(seconds: number): void
  /** Sends queued emails and returns all so far, oldest first. */
  post(): Promise<EmailMessage[]>
}

const silent = { warn: () => undefined, error: () => undefined }

export async function testAccounts(open: () => Promise<TestDb> = testDb): Promise<TestAccounts> {
  const database = await open()
  let now = new Date('2026-03-02T06:00:00Z')
  const config = readConfig({ PUBLIC_URL: 'https://shop.example', LOG_LEVEL: 'silent' })
  const site = new SiteSettings(database, setupOf(config, await readSiteFile(), []))
  await site.current()
  const deps: TestAccounts['deps'] = {
    config,
    site,
    db: database.db,
    sessions: await openSessionStore(database),
    log: pino({ level: 'silent' }),
    now: () => now,
    secrets: secretsOf(new Uint8Array(32).fill(7)),
    passwords: cheapPasswords,
    siteFile: { name: 'BeFAQT' },
  }
  const came: EmailMessage[] = []
  const letterBox = {
    send: async (message: EmailMessage) => void came.push(message),
    close: async () => undefined,
  }
  const handlers = {
    [MAIL_QUEUE]: sendMailJob(
      letterBox,
      deps.secrets,
      { name: 'BeFAQT', url: deps.config.PUBLIC_URL },
      deps.now,
    ),
    [ACTIVATION_QUEUE]: resendActivationJob(deps),
  }
  return {
    deps,
    wait: (seconds) => {
      now = new Date(now.getTime() + seconds * 1_000)
    },
    post: async () => {
      await runDueJobs(database.db, handlers, silent, new AbortController().signal)
      return came
    },
    [Symbol.asyncDispose]: database[Symbol.asyncDispose],
  }
}

/** The URL of an email's button. */
export function linkIn(message: EmailMessage | undefined): string {
  const link = /^https?:\/\/\S+$/m.exec(message?.text ?? '')?.[0]
  if (link === undefined) throw new Error('there is no link in this mail')
  return link
}

/** The last part of a link: its token. */
export const tokenIn = (message: EmailMessage | undefined): string => linkIn(message).split('/').at(-1) ?? ''

/** Creates an active account. Returns its id. */
export async function makeUser(
  { deps }: Pick<TestAccounts, 'deps'>,
  person: {
    email: string
    password: string
    role?: Role
    status?: 'ACTIVE' | 'INACTIVE' | 'DISABLED'
  },
): Promise<string> {
  const id = randomUUID()
  await deps.db.insert(users).values({
    id,
    fname: 'Ann',
    lname: 'Lee',
    email: person.email,
    emailKey: emailKey(person.email),
    phone: '0412345678',
    role: person.role ?? 'USER',
    status: person.status ?? 'ACTIVE',
    passwordHash: await deps.passwords.hash(person.password),
    activatedAt: deps.now(),
  })
  return id
}
