import { DAY_MS } from '@befaqt/domain/durations'
import { BUYER_NAMED_CENTS, GUEST_CONTACT_DAYS, NAMED_INVOICE_DAYS } from '@befaqt/domain/order-documents'
import { and, isNotNull, lt, type SQL, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { deleteEvents } from '#server/db/events.ts'
import {
  knownDevices,
  oneTimeTokens,
  rateLimits,
  sessions,
  webauthnChallenges,
} from '#server/db/schema/accounts.ts'
import { holds, idempotencyKeys } from '#server/db/schema/orders.ts'
import { paymentEvents } from '#server/db/schema/payments.ts'
import { fieldEntries, invitations } from '#server/db/schema/suppliers.ts'
import { enqueue } from '#server/jobs/queue.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import { type EmailKind, emailKinds, MAIL_QUEUE } from '#server/mail/send-email.ts'
import type { AccountDeps } from './account.ts'
import { SESSION_S } from './sessions/client.ts'
import { ACTIVATION_QUEUE } from './sign-up/sign-up.ts'

export const PURGE_QUEUE = 'account.forget-old'

/** Used and expired links, and lapsed claims, stay for a week, so that opening one late can say what is wrong with it. */
const LINK_RETENTION_MS = 7 * DAY_MS
/** Events of the outbox and of payment providers. */
const EVENT_RETENTION_MS = 30 * DAY_MS
/** Events of the outbox that a consumer has not come to. */
const UNCONSUMED_RETENTION_MS = 90 * DAY_MS

/** Has it purged at `when`, beside each night: once a day for all processes. */
export const schedulePurge = (db: Db, when: Date): Promise<void> =>
  enqueue(db, PURGE_QUEUE, {}, { runAt: when, uniqueKey: when.toISOString().slice(0, 10) })

/** The job: purges what has expired. */
export const purgeExpiredJob =
  ({ db, now }: Pick<AccountDeps, 'db' | 'now'>): JobHandler =>
  () =>
    purgeExpired(db, now())

/**
 * Deletes what no request can use any more: expired sessions, links, challenges, holds, waiting orders, keys of orders and
 * limits, events, contacts of guests whose orders ended long ago, browsers not seen for a year, what earlier versions kept of
 * deleted accounts, and what claims said that lapsed: that they were sent stays, so that the same is not taken twice.
 */
export async function purgeExpired(db: Db, now: Date): Promise<void> {
  const before = (ms: number): Date => new Date(now.getTime() - ms)
  await db.delete(sessions).where(lt(sessions.expiresAt, now))
  await db.delete(oneTimeTokens).where(lt(oneTimeTokens.expiresAt, before(LINK_RETENTION_MS)))
  await db.delete(invitations).where(lt(invitations.expiresAt, before(LINK_RETENTION_MS)))
  await db
    .update(fieldEntries)
    .set({ kept: null })
    .where(and(isNotNull(fieldEntries.kept), lt(fieldEntries.waitsUntil, before(LINK_RETENTION_MS))))
  await db.delete(webauthnChallenges).where(lt(webauthnChallenges.expiresAt, now))
  await db.delete(holds).where(lt(holds.expiresAt, before(DAY_MS)))
  await deleteWaitingOrders(db, before(LINK_RETENTION_MS))
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, before(2 * DAY_MS)))
  await db.delete(paymentEvents).where(lt(paymentEvents.receivedAt, before(EVENT_RETENTION_MS)))
  await deleteEvents(db, before(EVENT_RETENTION_MS), before(UNCONSUMED_RETENTION_MS))
  await db.delete(rateLimits).where(lt(rateLimits.windowEndsAt, now))
  await deleteGuestContacts(db, now)
  await redactDeletedAccounts(db)
  await db.delete(knownDevices).where(lt(knownDevices.lastUsedAt, before(SESSION_S * 1_000)))
}

/** Contacts of guests, but not yet of orders whose invoice names the buyer. */
async function deleteGuestContacts(db: Db, now: Date): Promise<void> {
  const before = (days: number): string => new Date(now.getTime() - days * DAY_MS).toISOString()
  await rows(
    db,
    sql`delete from order_contacts c using orders o
        where o.id = c.order_id and c.user_id is null and o.status in ('COMPLETED', 'CANCELLED')
          and o.updated_at < ${before(GUEST_CONTACT_DAYS)}::timestamptz
          and (o.invoice_number is null or o.total_cents < ${BUYER_NAMED_CENTS}
            or o.updated_at < ${before(NAMED_INVOICE_DAYS)}::timestamptz)`,
  )
}

/**
 * Waiting orders that ended before then, unless something of their payments is still open; what was paid for those that
 * went with their account, once it is given back; and networks that count no more.
 */
async function deleteWaitingOrders(db: Db, before: Date): Promise<void> {
  await rows(db, sql`update orders set network = null where network is not null and status <> 'PLACED'`)
  await rows(
    db,
    sql`with gone as (
        delete from waiting_orders w where w.ends_at < ${before.toISOString()}::timestamptz
          and not exists (select from payments p
            where p.order_id = w.id and p.state in ('OPEN', 'AUTHORIZED', 'CAPTURED'))
        returning w.id)
      delete from payments p using gone where p.order_id = gone.id`,
  )
  await rows(
    db,
    sql`delete from payments p where p.state not in ('OPEN', 'AUTHORIZED', 'CAPTURED')
        and p.updated_at < ${before.toISOString()}::timestamptz
        and not exists (select from orders o where o.id = p.order_id)
        and not exists (select from waiting_orders w where w.id = p.order_id)`,
  )
}

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

/** Emails about orders, which guests get, too. */
const orderEmails = Object.keys(emailKinds).filter((kind) => kind.startsWith('order-')) as EmailKind[]

/** The label of earlier versions, which called emails letters. */
const formerLabel = (label: string): string => label.replace('email', 'letter')

/** What audit entries keep of a deleted account. */
const redacted = (state: SQL): SQL =>
  sql`case when jsonb_typeof(${state}) = 'object' then jsonb_strip_nulls(
        jsonb_build_object('role', ${state}->'role', 'status', ${state}->'status')) end`

const isNoAccount = (address: SQL): SQL =>
  sql`not exists (select from users u where lower(${address}) in (lower(u.email), u.email_key))`

/**
 * Removes emails about the orders of an account from the queue, and their recipients from audit entries. Call it before
 * the account is deleted, with which its orders lose their contacts.
 */
export async function redactOrderEmails(tx: Tx, userId: string): Promise<void> {
  const kinds = JSON.stringify(orderEmails)
  const labels = JSON.stringify(orderEmails.map((kind) => emailKinds[kind]))
  const theirs = sql`(select lower(email) from order_contacts where user_id = ${userId}
    union select lower(contact->>'email') from waiting_orders where user_id = ${userId} and contact is not null
    union select lower(email) from users where id = ${userId})`
  await rows(
    tx,
    sql`delete from jobs j where j.queue = ${MAIL_QUEUE} and lower(j.payload->>'to') in ${theirs}
          and j.payload->>'kind' in (select jsonb_array_elements_text(${kinds}::jsonb))`,
  )
  await rows(
    tx,
    sql`update changes c set before = c.before - '{to,lastError}'::text[]
        where c.entity = 'mail' and lower(c.before->>'to') in ${theirs}
          and c.before->>'letter' in (select jsonb_array_elements_text(${labels}::jsonb))`,
  )
}

/**
 * Removes names, addresses and telephone numbers of deleted accounts from audit entries, and emails to them from the
 * queue. Who changed what of which account, and when, stays. All other data of an account is deleted with its row.
 * Idempotent.
 */
export async function redactDeletedAccounts(db: Db | Tx): Promise<void> {
  const labels = accountEmails.map((kind) => emailKinds[kind])
  const labelList = JSON.stringify([...labels, ...labels.map(formerLabel)])
  await rows(
    db,
    sql`update changes c set before = ${redacted(sql`c.before`)}, after = ${redacted(sql`c.after`)}
        where c.entity = 'user' and not exists (select from users u where u.id = c.entity_id)
          and coalesce(c.before, c.after) is not null
          and (coalesce(c.before, '{}') || coalesce(c.after, '{}')) - '{role,status}'::text[] <> '{}'`,
  )
  await rows(
    db,
    sql`update changes c set before = c.before - '{to,lastError}'::text[]
        where c.entity = 'mail' and c.before->>'to' is not null and c.before->>'letter' in (select jsonb_array_elements_text(${labelList}::jsonb))
          and ${isNoAccount(sql`(c.before->>'to')`)}`,
  )
  await rows(
    db,
    sql`delete from jobs j where (j.queue = ${ACTIVATION_QUEUE} and ${isNoAccount(sql`(j.payload->>'email')`)})
          or (j.queue = ${MAIL_QUEUE} and ${isNoAccount(sql`(j.payload->>'to')`)}
            and j.payload->>'kind' in (select jsonb_array_elements_text(${JSON.stringify(accountEmails)}::jsonb)))`,
  )
}
