import type { FailedEmail } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import { inArray, sql } from 'drizzle-orm'
import { writeAuditEntries } from '#server/audit/audit-log.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { tellWorkers } from '#server/jobs/queue.ts'
import { lockFailedEmail, lockFailedEmails } from './failed-emails.ts'

type Asked = { db: Db; now: () => Date }

const canBeSent = ({ state, expired }: FailedEmail): boolean =>
  !expired && (state === 'waiting' || state === 'given up')

/**
 * Retries a failed email now; one that failed for good gets all its attempts again. Idempotent.
 * @throws ShopError `not_found` when it was sent or discarded meanwhile, `conflict` when its link has expired
 */
export async function retryEmail({ db, now }: Asked, principal: Principal, id: string): Promise<FailedEmail> {
  return db.transaction(async (tx) => {
    const mail = await lockFailedEmail(tx, id, now())
    if (mail.expired)
      throw new ShopError(
        'conflict',
        'The link in this email has expired. The recipient can ask for a new one.',
      )
    if (canBeSent(mail)) await requeue(tx, principal, [mail])
    return lockFailedEmail(tx, id, now())
  })
}

/** Retries every failed email whose link has not expired. Returns how many. */
export async function retryAllEmails({ db, now }: Asked, principal: Principal): Promise<number> {
  return db.transaction(async (tx) => {
    const mails = (await lockFailedEmails(tx, undefined, now())).filter(canBeSent)
    for (let i = 0; i < mails.length; i += BATCH_SIZE)
      await requeue(tx, principal, mails.slice(i, i + BATCH_SIZE))
    return mails.length
  })
}

const BATCH_SIZE = 1_000

async function requeue(tx: Tx, principal: Principal, mails: readonly FailedEmail[]): Promise<void> {
  const ids = mails.map(({ _id }) => Number(_id))
  const attempts = sql`case when ${jobs.failedAt} is null then ${jobs.attempts} else 0 end`
  const anew = { runAt: sql`now()`, failedAt: null, attempts, lostLeases: 0 }
  await tx.update(jobs).set(anew).where(inArray(jobs.id, ids))
  await writeAuditEntries(
    tx,
    actorId(principal),
    mails.map(({ _id, to, letter, state, tries, lastError }) => ({
      entity: 'mail',
      entityId: _id,
      before: { state, tries, lastError },
      after: { state: 'sent again', to, letter },
    })),
  )
  await tellWorkers(tx)
}
