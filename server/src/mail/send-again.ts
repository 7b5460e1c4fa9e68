import type { HeldMail } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import { inArray, sql } from 'drizzle-orm'
import { writeAuditEntries } from '#server/audit/audit-log.ts'
import { type Db, notify, type Tx } from '#server/db/client.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { JOBS_CHANNEL } from '#server/jobs/queue.ts'
import { lockHeldMail, lockOneMail } from './held-mail.ts'
import { MAIL_QUEUE } from './send-mail.ts'

type Asked = { db: Db; now: () => Date }

const canBeSent = ({ state, expired }: HeldMail): boolean =>
  !expired && (state === 'waiting' || state === 'given up')

/**
 * Has a held mail tried at once; one that was given up gets all its tries again. Asking twice is asking once.
 * @throws ShopError `not_found` when it was sent or given up meanwhile, `conflict` when its link has ended
 */
export async function sendAgain({ db, now }: Asked, principal: Principal, id: string): Promise<HeldMail> {
  return db.transaction(async (tx) => {
    const mail = await lockOneMail(tx, id, now())
    if (mail.expired)
      throw new ShopError('conflict', 'The link in this mail has ended. Its reader can ask for a new one.')
    if (canBeSent(mail)) await putBack(tx, principal, [mail])
    return lockOneMail(tx, id, now())
  })
}

/** Has every held mail tried at once whose link has not ended. Answers how many that are. */
export async function sendAllAgain({ db, now }: Asked, principal: Principal): Promise<number> {
  return db.transaction(async (tx) => {
    const mails = (await lockHeldMail(tx, undefined, now())).filter(canBeSent)
    for (let i = 0; i < mails.length; i += AT_ONCE) await putBack(tx, principal, mails.slice(i, i + AT_ONCE))
    return mails.length
  })
}

const AT_ONCE = 1_000

async function putBack(tx: Tx, principal: Principal, mails: readonly HeldMail[]): Promise<void> {
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
  await notify(tx, JOBS_CHANNEL, MAIL_QUEUE)
}
