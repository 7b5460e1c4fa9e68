import { HOUR_MS } from '@befaqt/domain/durations'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { buyableOf, LOOK_QUEUE, titleNames } from '#server/catalogue/index.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import type { Recurring } from '#server/jobs/recurring.ts'
import type { JobHandler } from '#server/jobs/run.ts'
import type { EmailTexts } from '#server/mail/email-content.ts'
import { type EmailReceipts, MAIL_QUEUE } from '#server/mail/send-email.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { mailBack } from './notice-emails.ts'

/** What somebody waits for: a product, or what is called so. */
export type Subject = { productId: string | null; species: string | null }

export const keyOf = ({ productId, species }: Subject): string => productId ?? `species ${species}`

/** Emails that one transaction queues. */
const PART = 200

/** `ids`: what changed; null, and in the regular look at everything: anything. */
const Look = z.object({ ids: z.array(z.string()).nullable().default(null) })

/** A look at everything, which makes up for what no change told of. */
export const hourlyLook: Recurring = {
  queue: LOOK_QUEUE,
  next: (now) => new Date((Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS),
}

type LookDeps = {
  db: Db
  now: () => Date
  secrets: Secrets
  config: { PUBLIC_URL: string }
} & EmailTexts

/**
 * The job: queues one email for each wish whose cause is there now. Changes of the catalogue enqueue it in their own
 * transaction, so that it is carried out whoever made them and whatever became of that process.
 */
export const lookJob =
  (deps: LookDeps): JobHandler =>
  async (payload, signal) => {
    const { ids } = Look.parse(payload)
    const subjects = await waitedFor(deps.db, ids)
    for (const [key, found] of await buyableSubjects(deps.db, subjects, ids)) {
      const subject = subjects.find((one) => keyOf(one) === key)
      while (subject !== undefined && (await queuePart(deps, subject, found))) signal.throwIfAborted()
    }
  }

/** SQL: a wish that is confirmed and not over. @param n alias of `stock_notices` */
const waits = sql`(n.confirmed_at is not null and n.ends_at > clock_timestamp())`

const waitedFor = (db: Db, ids: readonly string[] | null): Promise<Subject[]> => {
  const among = ids === null ? sql`true` : sql`n.product_id = any(${sql.param([...ids])}::text[])`
  return rows<Subject>(
    db,
    sql`select distinct n.product_id as "productId", n.species from stock_notices n
        where ${waits} and (n.species is not null or ${among})`,
  )
}

/** What can be bought of that. */
type Found = { id: string; title: string }

/**
 * Those of these that can be bought now, by their keys, each with one product that can.
 * @param among of these products alone; null: of all
 */
export async function buyableSubjects(
  db: Db | Tx,
  subjects: readonly Subject[],
  among: readonly string[] | null = null,
): Promise<Map<string, Found>> {
  if (subjects.length === 0) return new Map()
  const isAny = subjects.some(({ species }) => species !== null)
  const ids = among ?? (isAny ? null : subjects.flatMap(({ productId }) => productId ?? []))
  const isAsked = ids === null ? sql`true` : sql`id = any(${sql.param([...ids])}::text[])`
  const known = await rows<Found>(
    db,
    sql`select id, title from products where status = 'ACTIVE' and ${isAsked} order by shelf_key, id`,
  )
  const wanted = known.flatMap((product) => {
    const about = subjects.filter(({ productId, species }) =>
      species === null ? productId === product.id : titleNames(product.title, species),
    )
    return about.map((subject) => ({ key: keyOf(subject), product }))
  })
  const buyable = await buyableOf(db, [...new Set(wanted.map(({ product }) => product.id))])
  const found = new Map<string, Found>()
  for (const { key, product } of wanted)
    if (buyable.has(product.id) && !found.has(key)) found.set(key, product)
  return found
}

const receiptOf = (id: string): string => `stock ${id}`
const RECEIPT = /^stock ([\da-f-]{36})$/

/**
 * Queues the emails of some that wait, those who asked first before others. Who has one queued is passed over, but not while
 * it is being sent, when it may just have been found that there is nothing: it is then asked once more.
 * @returns whether there may be more
 */
async function queuePart(deps: LookDeps, subject: Subject, found: Found): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const about =
      subject.productId === null
        ? sql`n.species = ${subject.species}`
        : sql`n.product_id = ${subject.productId}`
    const told = await rows<{ id: string; email: string; address: string }>(
      tx,
      sql`select n.id, n.email, n.address from stock_notices n
          where ${waits} and ${about} and not exists (
            select from jobs j where j.queue = ${MAIL_QUEUE} and j.unique_key = 'stock ' || n.id
              and (j.leased_until is null or j.again))
          order by n.confirmed_at, n.id limit ${PART}`,
    )
    const wishes = told.map((one) => ({ ...one, receipt: receiptOf(one.id) }))
    await mailBack(tx, deps, wishes, { ...found, species: subject.species })
    return told.length === PART
  })
}

/**
 * What wishes say of their emails while these are sent: one that was stopped, or whose cause is gone, is not sent. It goes
 * on waiting then, and is over with the email that is sent.
 */
export const stockReceipts = ({ db }: { db: Db }): EmailReceipts => ({
  async isWanted(receipt) {
    const id = RECEIPT.exec(receipt)?.[1]
    if (id === undefined) return true
    const [wish] = await rows<Subject>(
      db,
      sql`select n.product_id as "productId", n.species from stock_notices n where n.id = ${id} and ${waits}`,
    )
    return wish !== undefined && (await buyableSubjects(db, [wish])).size > 0
  },
  async noteSent(tx, receipt) {
    const id = RECEIPT.exec(receipt)?.[1]
    if (id !== undefined) await rows(tx, sql`delete from stock_notices where id = ${id}`)
  },
})
