import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { type EmailKind, emailKinds, MAIL_QUEUE } from '#server/mail/send-email.ts'
import { ACTIVATION_QUEUE } from './sign-up/resend-activation.ts'

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
