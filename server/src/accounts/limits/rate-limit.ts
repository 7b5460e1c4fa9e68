import { createHash } from 'node:crypto'
import { ShopError } from '@befaqt/domain/errors'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '#server/db/client.ts'

/**
 * How a limit grows: `free` tries pass, and the last of them and each later one starts a wait that doubles
 * from `firstWaitS` to `longestWaitS`. Without a try for `rememberS` seconds all is forgotten.
 */
export type Growth = { free: number; firstWaitS: number; longestWaitS: number; rememberS: number }

/** Longest exponent: far beyond every `longestWaitS`, small enough for the database's numbers. */
const MOST_DOUBLINGS = 30

/** Limits hold what they are about as a hash: no addresses of strangers in the table. */
const keyOf = (what: string, about: string): string =>
  `${what}:${createHash('sha256').update(about).digest('base64url')}`

/** One limit on one thing: sign-ins of an account, mails to an address. */
export type Limit = { what: string; about: string; growth: Growth }

/**
 * Counts one try, before it is made, so that many at once can't all slip through. Tries during a wait are
 * refused and not counted, so that knocking on a closed door never lengthens the wait.
 * @throws ShopError `rate.limited`, details `{ retryAfterS }`
 */
export async function take(db: Db, { what, about, growth }: Limit, now: Date): Promise<void> {
  const key = keyOf(what, about)
  const at = sql`${now.toISOString()}::timestamptz`
  const { free, firstWaitS, longestWaitS, rememberS } = growth
  const waitFor = (count: ReturnType<typeof sql>) => sql`
    case when ${count} >= ${free} then ${at} + interval '1 second' *
      least(${longestWaitS}::float8, ${firstWaitS}::float8 * 2 ^ least(${count} - ${free}, ${MOST_DOUBLINGS})) end`
  // What lies further ahead than it ever can was written by a clock that was wrong, and does not count.
  const isOver = sql`r.window_ends_at <= ${at} or r.window_ends_at > ${at} + ${rememberS} * interval '1 second'`
  const next = sql`(case when ${isOver} then 1 else r.count + 1 end)`
  const passed = await rows(
    db,
    sql`insert into rate_limits as r (key, count, window_ends_at, locked_until)
        values (${key}, 1, ${at} + ${rememberS} * interval '1 second', ${waitFor(sql`1`)})
        on conflict (key) do update set count = ${next}, window_ends_at = excluded.window_ends_at,
          locked_until = ${waitFor(next)}
        where r.locked_until is null or r.locked_until <= ${at}
          or r.locked_until > ${at} + ${longestWaitS} * interval '1 second'
        returning 1 as passed`,
  )
  if (passed.length === 0) throw await tooMany(db, key, now)
}

async function tooMany(db: Db, key: string, now: Date): Promise<ShopError> {
  const [row] = await rows<{ wait: number }>(
    db,
    sql`select ceil(extract(epoch from locked_until - ${now.toISOString()}::timestamptz))::int as wait
        from rate_limits where key = ${key}`,
  )
  const retryAfterS = Math.max(1, row?.wait ?? 1)
  return new ShopError('rate.limited', `Too many tries. Please wait ${waitWords(retryAfterS)}.`, {
    details: { retryAfterS },
  })
}

/** A wait in words: seconds to a minute and a half, then minutes, rounded up. */
export const waitWords = (seconds: number): string => {
  if (seconds <= 90) return seconds === 1 ? '1 second' : `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}

/** Takes one try back that turned out to be the owner's, and opens the door that it had closed. */
export async function giveBack(db: Db, { what, about }: Limit): Promise<void> {
  await rows(
    db,
    sql`update rate_limits set count = greatest(count - 1, 0), locked_until = null
        where key = ${keyOf(what, about)}`,
  )
}

/** Starts anew. */
export async function forget(db: Db, { what, about }: Limit): Promise<void> {
  await rows(db, sql`delete from rate_limits where key = ${keyOf(what, about)}`)
}
