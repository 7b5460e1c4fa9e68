import { eq, sql } from 'drizzle-orm'
import { LOOK_QUEUE } from '#server/catalogue/index.ts'
import { rows, type Tx } from '#server/db/client.ts'
import { stockNotices } from '#server/db/schema/shop.ts'
import { enqueue } from '#server/jobs/queue.ts'
import { MAIL_QUEUE } from '#server/mail/send-email.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import { emailKey, type UserRow } from './account.ts'

type Hashing = Pick<Secrets, 'hmac'>

/** What all wishes of an address to be told have in common, and the key of its link that stops them. */
export const noticeAddress = (secrets: Hashing, email: string): string =>
  secrets.hmac(emailKey(email), 'address of a notice')

/**
 * Deletes what waits for the address of an account, with it and without it. An address that it only claims may be somebody
 * else's, as may what waits for that.
 */
export async function forgetNotices(
  tx: Tx,
  secrets: Hashing,
  { email, activatedAt }: Pick<UserRow, 'email' | 'activatedAt'>,
): Promise<void> {
  if (activatedAt === null) return
  await tx.delete(stockNotices).where(eq(stockNotices.address, noticeAddress(secrets, email)))
}

/**
 * Has what waits for the address of an account be told to its new one: both have confirmed to be its own. What nobody has
 * confirmed stays where it was typed; what both wait for is told once.
 */
export async function moveNotices(
  tx: Tx,
  secrets: Hashing,
  user: Pick<UserRow, 'id' | 'email'>,
  email: string,
): Promise<void> {
  const [from, to] = [noticeAddress(secrets, user.email), noticeAddress(secrets, email)]
  if (from === to) return
  await rows(
    tx,
    sql`delete from stock_notices t where t.address = ${to} and exists (
          select from stock_notices f where f.address = ${from} and f.confirmed_at is not null
            and (f.product_id = t.product_id or f.species = t.species))`,
  )
  const moved = await rows<{ receipt: string }>(
    tx,
    sql`update stock_notices set email = ${email}, address = ${to}, user_id = ${user.id}
        where address = ${from} and confirmed_at is not null returning 'stock ' || id as receipt`,
  )
  if (moved.length === 0) return
  const receipts = sql.param(moved.map(({ receipt }) => receipt))
  await rows(
    tx,
    sql`delete from jobs where queue = ${MAIL_QUEUE} and leased_until is null
          and unique_key = any(${receipts}::text[])`,
  )
  await enqueue(tx, LOOK_QUEUE, { ids: null }) // writes them anew, to the new address
}
