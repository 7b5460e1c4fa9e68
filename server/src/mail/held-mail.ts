import type { Paged } from '@befaqt/domain/api/box-api'
import type { HeldMail } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import { and, count, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/client.ts'
import { jobs } from '#server/db/schema/jobs.ts'
import { type ListQuery, pageOf } from '#server/http/list-query.ts'
import { letterWords } from './letter-kinds.ts'
import { MAIL_QUEUE, MailOnItsWay } from './send-mail.ts'

/** Mails that failed at least once and are not delivered. */
const isHeld = and(eq(jobs.queue, MAIL_QUEUE), isNotNull(jobs.lastError))

const state = sql<HeldMail['state']>`case when ${jobs.failedAt} is not null then 'given up'
  when ${jobs.leasedUntil} > now() then 'sending'
  when ${jobs.runAt} <= now() then 'due' else 'waiting' end`

/** All but what is in the letter, which is not even read from the database. */
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
  state: HeldMail['state']
}

/** A job that is no mail is shown too, so that somebody can clear it away. */
function heldMail({ id, mail, tries, lastError, runAt, createdAt, state }: Row, now: Date): HeldMail {
  const { data } = MailOnItsWay.safeParse(mail)
  return {
    _id: String(id),
    to: data?.to ?? '',
    letter: letterWords(data?.kind ?? 'unreadable'),
    askedAt: data?.date ?? createdAt.toISOString(),
    tries,
    lastError: lastError ?? '',
    state,
    nextTryAt: state === 'waiting' ? runAt.toISOString() : null,
    expired: data?.goodUntil !== undefined && new Date(data.goodUntil) <= now,
  }
}

/** Mails that are held up, newest first. */
export async function listHeldMail(
  db: Db,
  query: Pick<ListQuery, 'page' | 'size'>,
  now: Date,
): Promise<Paged<HeldMail>> {
  const { page, size, offset } = pageOf(query)
  const [all] = await db.select({ total: count() }).from(jobs).where(isHeld)
  const found = await db
    .select(columns)
    .from(jobs)
    .where(isHeld)
    .orderBy(desc(jobs.id))
    .limit(size)
    .offset(offset)
  return { rows: found.map((row) => heldMail(row, now)), page, size, total: all?.total ?? 0 }
}

/** Held mails where `which` holds, in their order, kept from workers and other managers until `tx` ends. */
export async function lockHeldMail(tx: Tx, which: SQL | undefined, now: Date): Promise<HeldMail[]> {
  const found = await tx.select(columns).from(jobs).where(and(isHeld, which)).orderBy(jobs.id).for('update')
  return found.map((row) => heldMail(row, now))
}

/** The held mail of this id. @throws ShopError `not_found`: it was sent or given up meanwhile */
export async function lockOneMail(tx: Tx, id: string, now: Date): Promise<HeldMail> {
  const [mail] = /^\d{1,9}$/.test(id) ? await lockHeldMail(tx, eq(jobs.id, Number(id)), now) : []
  if (mail === undefined)
    throw new ShopError('not_found', 'This mail is not held up any more: it was sent or given up.')
  return mail
}
