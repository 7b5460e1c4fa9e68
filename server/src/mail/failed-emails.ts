import type { Paged } from '@befaqt/domain/api/box-api'
import type { FailedEmail } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import { and, count, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { type ListQuery, pageOf } from '#server/http/list-query.ts'
import { emailLabel } from './email-kinds.ts'
import { MAIL_QUEUE, QueuedEmail } from './send-email.ts'

/** Emails that failed at least once and are not sent yet. */
const hasFailed = and(eq(jobs.queue, MAIL_QUEUE), isNotNull(jobs.lastError))

const state = sql<FailedEmail['state']>`case when ${jobs.failedAt} is not null then 'given up'
  when ${jobs.leasedUntil} > now() then 'sending'
  when ${jobs.runAt} <= now() then 'due' else 'waiting' end`

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
export async function listFailedEmails(
  db: Db,
  query: Pick<ListQuery, 'page' | 'size'>,
  now: Date,
): Promise<Paged<FailedEmail>> {
  const { page, size, offset } = pageOf(query)
  const [all] = await db.select({ total: count() }).from(jobs).where(hasFailed)
  const found = await db
    .select(columns)
    .from(jobs)
    .where(hasFailed)
    .orderBy(desc(jobs.id))
    .limit(size)
    .offset(offset)
  return { rows: found.map((row) => toFailedEmail(row, now)), page, size, total: all?.total ?? 0 }
}

/** Failed emails that match `which`, in the order of their ids, locked until `tx` ends. */
export async function lockFailedEmails(tx: Tx, which: SQL | undefined, now: Date): Promise<FailedEmail[]> {
  const found = await tx
    .select(columns)
    .from(jobs)
    .where(and(hasFailed, which))
    .orderBy(jobs.id)
    .for('update')
  return found.map((row) => toFailedEmail(row, now))
}

/** The failed email with this id. @throws ShopError `not_found`: it was sent or discarded meanwhile */
export async function lockFailedEmail(tx: Tx, id: string, now: Date): Promise<FailedEmail> {
  const [mail] = /^\d{1,9}$/.test(id) ? await lockFailedEmails(tx, eq(jobs.id, Number(id)), now) : []
  if (mail === undefined)
    throw new ShopError('not_found', 'This email is no longer in the queue: it was sent or discarded.')
  return mail
}
