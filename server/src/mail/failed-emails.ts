import type { ListPlace, Paged } from '@befaqt/domain/api/box-api'
import type { FailedEmail } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import { and, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import { writeAuditEntries, writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { countListed, falling, keysetPage } from '#server/db/keyset.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { actorId, type Principal } from '#server/identity/principal.ts'
import { tellWorkers } from '#server/jobs/queue.ts'
import { emailLabel, MAIL_QUEUE, QueuedEmail } from './send-email.ts'

/** Emails that failed at least once and are not sent yet. */
const hasFailed = and(eq(jobs.queue, MAIL_QUEUE), isNotNull(jobs.lastError))

/** By the clock, not by when the transaction began: what another asked for while this one waited is due. */
const state = sql<FailedEmail['state']>`case when ${jobs.failedAt} is not null then 'given up'
  when ${jobs.leasedUntil} > clock_timestamp() then 'sending'
  when ${jobs.runAt} <= clock_timestamp() then 'due' else 'waiting' end`

/** All but the content of the email, which is not even read from the database. */
const columns = {
  id: jobs.id,
  mail: sql<unknown>`${jobs.payload} - 'sealed'`,
  tries: jobs.attempts,
  lastError: jobs.lastError,
  runAt: jobs.runAt,
  createdAt: jobs.createdAt,
  state,
}
type Row = {
  id: number
  mail: unknown
  tries: number
  lastError: string | null
  runAt: Date
  createdAt: Date
  state: FailedEmail['state']
}

/** An invalid job is shown too, so that somebody can discard it. */
function toFailedEmail({ id, mail, tries, lastError, runAt, createdAt, state }: Row, now: Date): FailedEmail {
  const { data } = QueuedEmail.safeParse(mail)
  return {
    _id: String(id),
    to: data?.to ?? '',
    letter: emailLabel(data?.kind ?? 'unreadable'),
    askedAt: data?.date ?? createdAt.toISOString(),
    tries,
    lastError: lastError ?? '',
    state,
    nextTryAt: state === 'waiting' ? runAt.toISOString() : null,
    expired: data?.goodUntil !== undefined && new Date(data.goodUntil) <= now,
  }
}

/** Failed emails, newest first. */
export async function listFailedEmails(db: Db, place: ListPlace, now: Date): Promise<Paged<FailedEmail>> {
  const { rows, ...page } = await keysetPage(
    place,
    { keys: [falling(jobs.id)], of: ['failed emails', {}] },
    ({ where, order, limit, offset, at }) =>
      db
        .select({ ...columns, at })
        .from(jobs)
        .where(and(hasFailed, where))
        .orderBy(...order)
        .limit(limit)
        .offset(offset),
    (beyond) => countListed(db, jobs, hasFailed, beyond),
  )
  return { ...page, rows: rows.map((row) => toFailedEmail(row, now)) }
}

/** Failed emails that match `which`, in the order of their ids, locked until `tx` ends. */
async function lockFailedEmails(tx: Tx, which: SQL | undefined, now: Date): Promise<FailedEmail[]> {
  const found = await tx
    .select(columns)
    .from(jobs)
    .where(and(hasFailed, which))
    .orderBy(jobs.id)
    .for('update')
  return found.map((row) => toFailedEmail(row, now))
}

/** The failed email with this id. @throws ShopError `not_found`: it was sent or discarded meanwhile */
async function lockFailedEmail(tx: Tx, id: string, now: Date): Promise<FailedEmail> {
  const [mail] = /^\d{1,9}$/.test(id) ? await lockFailedEmails(tx, eq(jobs.id, Number(id)), now) : []
  if (mail === undefined)
    throw new ShopError('not_found', 'This email is no longer in the queue: it was sent or discarded.')
  return mail
}

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
  await tellWorkers(tx, MAIL_QUEUE)
}

/**
 * Discards a failed email: it is never sent.
 * @throws ShopError `not_found` when it was sent or discarded meanwhile, `conflict` while it is being sent
 */
export async function discardEmail(
  { db, now }: { db: Db; now: () => Date },
  principal: Principal,
  id: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const { _id, to, letter, askedAt, tries, lastError, state } = await lockFailedEmail(tx, id, now())
    if (state === 'sending')
      throw new ShopError('conflict', 'This email is being sent right now. Check again in a minute.')
    await tx.delete(jobs).where(eq(jobs.id, Number(_id)))
    await writeAuditEntry(tx, principal, 'mail', _id, {
      before: { to, letter, askedAt, tries, lastError },
      after: null,
    })
  })
}
