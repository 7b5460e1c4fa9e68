import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { type LetterKind, letterKinds } from '#server/mail/letter-kinds.ts'
import { MAIL_QUEUE } from '#server/mail/send-mail.ts'
import { ACTIVATION_QUEUE } from './sign-up/activation-again.ts'

/** Letters that go to holders of accounts and to nobody else. */
const accountLetters: readonly LetterKind[] = [
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

/** What the history of changes keeps of an account that was deleted. */
const kept = (state: SQL): SQL =>
  sql`case when jsonb_typeof(${state}) = 'object' then jsonb_strip_nulls(
        jsonb_build_object('role', ${state}->'role', 'status', ${state}->'status')) end`

const nobodys = (address: SQL): SQL =>
  sql`not exists (select from users u where lower(${address}) in (lower(u.email), u.email_key))`

/**
 * Takes names, addresses and telephone numbers of accounts that are no more out of the history of changes, and letters
 * to them out of the queue. Who changed what of which account, and when, stays. Everything else that is kept of an
 * account goes with its row. May run at any time and as often as wanted.
 */
export async function forgetDeleted(db: Db | Tx): Promise<void> {
  const words = JSON.stringify(accountLetters.map((kind) => letterKinds[kind]))
  await rows(
    db,
    sql`update changes c set before = ${kept(sql`c.before`)}, after = ${kept(sql`c.after`)}
        where c.entity = 'user' and not exists (select from users u where u.id = c.entity_id)
          and coalesce(c.before, c.after) is not null
          and (coalesce(c.before, '{}') || coalesce(c.after, '{}')) - '{role,status}'::text[] <> '{}'`,
  )
  await rows(
    db,
    sql`update changes c set before = c.before - '{to,lastError}'::text[]
        where c.entity = 'mail' and c.before->>'to' is not null and c.before->>'letter' in (select jsonb_array_elements_text(${words}::jsonb))
          and ${nobodys(sql`(c.before->>'to')`)}`,
  )
  await rows(
    db,
    sql`delete from jobs j where (j.queue = ${ACTIVATION_QUEUE} and ${nobodys(sql`(j.payload->>'email')`)})
          or (j.queue = ${MAIL_QUEUE} and ${nobodys(sql`(j.payload->>'to')`)}
            and j.payload->>'kind' in (select jsonb_array_elements_text(${JSON.stringify(accountLetters)}::jsonb)))`,
  )
}
