import { DAY_MS } from '@befaqt/domain/durations'
import { lt, type SQL, sql } from 'drizzle-orm'
import { rows, type Tx } from '#server/db/client.ts'
import { blanks, deletes, endAll, moment, type Retention } from '#server/db/retention.ts'
import {
  emailChanges,
  knownDevices,
  oneTimeTokens,
  rateLimits,
  sessions,
  staffInvitations,
  webauthnChallenges,
} from '#server/db/schema/accounts.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { changes } from '#server/db/schema/shop.ts'
import { type EmailKind, emailKinds, MAIL_QUEUE } from '#server/mail/send-email.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { UserRow } from './account.ts'
import { forgetNotices } from './own-notices.ts'
import { SESSION_S } from './sessions/client.ts'
import { ACTIVATION_QUEUE } from './sign-up/sign-up.ts'

/** Used and expired links stay for a week, so that opening one late can say what is wrong with it. */
const LINK_MS = 7 * DAY_MS

/** Emails that only account holders get. */
const accountEmails: readonly EmailKind[] = [
  'activation',
  'address-taken',
  'recovery',
  'password-changed',
  'second-factor-on',
  'second-factor-off',
  'second-factor-codes',
  'second-factor-code-used',
  'second-factor-passkey-added',
  'second-factor-passkey-removed',
]

/** Emails that an address may get before or after it has an account: they are sent, or fail for good. */
const passingEmails: readonly EmailKind[] = ['email-change', 'email-changed', 'account-erased']

const kindsLike = (form: RegExp) => Object.keys(emailKinds).filter((kind) => form.test(kind)) as EmailKind[]
/** Emails about orders, which guests get, too. A recall is told to whoever may still have the fish. */
const orderEmails = kindsLike(/^order-(?!recall)/)
const noticeEmails = kindsLike(/^stock-/)

/** The label of earlier versions, which called emails letters. */
const formerLabel = (label: string): string => label.replace('email', 'letter')

/** What audit entries keep of a deleted account. */
const redacted = (state: SQL): SQL =>
  sql`case when jsonb_typeof(${state}) = 'object' then jsonb_strip_nulls(
        jsonb_build_object('role', ${state}->'role', 'status', ${state}->'status')) end`

const isNoAccount = (address: SQL): SQL =>
  sql`not exists (select from users u where lower(${address}) in (lower(u.email), u.email_key))`

/**
 * Removes emails about the orders of an account, but recalls, about what it wants to be told, and about a change of its
 * email, from the queue, and their recipients from audit entries; also what it wants to be told. Call it before the
 * account is deleted, with which its orders lose their contacts.
 */
export async function redactEmails(tx: Tx, secrets: Pick<Secrets, 'hmac'>, user: UserRow): Promise<void> {
  const { id } = user
  const own = sql`select lower(email) from users where id = ${id}`
  await forgetNotices(tx, secrets, user)
  await redactSent(tx, noticeEmails, sql`(${own} and activated_at is not null)`)
  await redactSent(
    tx,
    orderEmails,
    sql`(select lower(email) from order_contacts where user_id = ${id}
      union select lower(contact->>'email') from waiting_orders where user_id = ${id} and contact is not null
      union ${own})`,
  )
  await dropQueued(
    tx,
    ['email-change'],
    sql`(${own} union select lower(email) from email_changes where user_id = ${id})`,
  )
}

/** @param addresses SQL: those that the emails go to, in lower case */
async function dropQueued(tx: Tx, kinds: readonly EmailKind[], addresses: SQL): Promise<void> {
  await rows(
    tx,
    sql`delete from jobs j where j.queue = ${MAIL_QUEUE} and lower(j.payload->>'to') in ${addresses}
          and j.payload->>'kind' in (select jsonb_array_elements_text(${JSON.stringify(kinds)}::jsonb))`,
  )
}

async function redactSent(tx: Tx, kinds: readonly EmailKind[], addresses: SQL): Promise<void> {
  await dropQueued(tx, kinds, addresses)
  const labels = JSON.stringify(kinds.map((kind) => emailKinds[kind]))
  await rows(
    tx,
    sql`update changes c set before = c.before - '{to,lastError}'::text[]
        where c.entity = 'mail' and lower(c.before->>'to') in ${addresses}
          and c.before->>'letter' in (select jsonb_array_elements_text(${labels}::jsonb))`,
  )
}

const labelsOfAccounts = [...accountEmails, ...passingEmails].map((kind) => emailKinds[kind])
const labelList = JSON.stringify([...labelsOfAccounts, ...labelsOfAccounts.map(formerLabel)])

/** What the audit log and the queue still know of deleted accounts. */
const redactions: readonly Retention[] = [
  blanks(
    changes,
    sql`before = ${redacted(sql`before`)}, after = ${redacted(sql`after`)}`,
    () => sql`entity = 'user' and not exists (select from users u where u.id = entity_id)
      and coalesce(before, after) is not null
      and (coalesce(before, '{}') || coalesce(after, '{}')) - '{role,status}'::text[] <> '{}'`,
  ),
  blanks(
    changes,
    sql`before = before - '{to,lastError}'::text[]`,
    () => sql`entity = 'mail' and before->>'to' is not null
      and before->>'letter' in (select jsonb_array_elements_text(${labelList}::jsonb))
      and ${isNoAccount(sql`(before->>'to')`)}`,
  ),
  deletes(
    jobs,
    () => sql`(queue = ${ACTIVATION_QUEUE} and ${isNoAccount(sql`(payload->>'email')`)})
      or (queue = ${MAIL_QUEUE} and ${isNoAccount(sql`(payload->>'to')`)}
        and (payload->>'kind' in (select jsonb_array_elements_text(${JSON.stringify(accountEmails)}::jsonb))
          or failed_at is not null
            and payload->>'kind' in (select jsonb_array_elements_text(${JSON.stringify(passingEmails)}::jsonb))))`,
  ),
]

/**
 * Removes names, addresses and telephone numbers of deleted accounts from audit entries, and emails to them from the
 * queue. Who changed what of which account, and when, stays. All other data of an account is deleted with its row.
 * Idempotent.
 */
export async function redactDeletedAccounts(tx: Tx): Promise<void> {
  for (const redaction of redactions) await endAll(redaction, tx, new Date())
}

/**
 * What no request can use any more: sessions, links, challenges, limits, browsers not seen for as long as a session lasts;
 * and what earlier versions kept of deleted accounts.
 */
export const accountRetention: readonly Retention[] = [
  deletes(sessions, (now) => lt(sessions.expiresAt, now)),
  deletes(oneTimeTokens, (now) => lt(oneTimeTokens.expiresAt, moment(now, LINK_MS))),
  deletes(staffInvitations, (now) => lt(staffInvitations.expiresAt, moment(now, LINK_MS))),
  deletes(emailChanges, (now) => lt(emailChanges.expiresAt, moment(now, LINK_MS))),
  deletes(webauthnChallenges, (now) => lt(webauthnChallenges.expiresAt, now)),
  deletes(rateLimits, (now) => lt(rateLimits.windowEndsAt, now)),
  deletes(knownDevices, (now) => lt(knownDevices.lastUsedAt, moment(now, SESSION_S * 1_000))),
  ...redactions,
]
