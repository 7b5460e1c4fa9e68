import { createHash } from 'node:crypto'
import { ShopError } from '@befaqt/domain/errors'
import { sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { clientOf } from '#server/accounts/sessions/client.ts'
import { type Db, rows, type Tx } from '#server/db/client.ts'
import { type AccountDeps, emailKey } from './account.ts'

const MINUTE_S = 60
const HOUR_S = 3_600
const DAY_S = 86_400

const limit =
  (what: string, growth: BackoffPolicy) =>
  (about: string): RateLimit => ({ name: what, key: about, policy: growth })
const quarterHour = { maxDelayS: 15 * MINUTE_S }

/** Sign-ins from one network to any account: credential stuffing. */
export const signInsByNetwork = limit('signin-from', {
  freeAttempts: 50,
  baseDelayS: 15,
  ...quarterHour,
  windowS: HOUR_S,
})

const pair = limit('signin-pair', { freeAttempts: 10, baseDelayS: 10, ...quarterHour, windowS: DAY_S })

/** Sign-ins to one account from one network or known browser: guessing one password. */
export const signInsByAccountAndClient = (email: string, from: string): RateLimit =>
  pair(`${emailKey(email)} ${from}`)

const account = limit('signin-account', { freeAttempts: 30, baseDelayS: 30, ...quarterHour, windowS: DAY_S })

/** Sign-ins to one account from anywhere: distributed guessing. The owner's known browsers are not counted. */
export const signInsByAccount = (email: string): RateLimit => account(emailKey(email))

/** Codes of the second factor. They need the password first, so a stranger cannot use up this limit. */
export const codesByUser = limit('twofa', { freeAttempts: 5, baseDelayS: 30, ...quarterHour, windowS: DAY_S })

/** Reauthentications within a session. */
export const reauthenticationsByUser = limit('password-again', {
  freeAttempts: 5,
  baseDelayS: 30,
  ...quarterHour,
  windowS: HOUR_S,
})

/** Sign-ups from one network. */
export const signUpsByNetwork = limit('signup-from', {
  freeAttempts: 100,
  baseDelayS: 30,
  ...quarterHour,
  windowS: HOUR_S,
})

/** Password recoveries from one network: the one place that reveals whether an account exists. */
export const recoveriesByNetwork = limit('forgot-from', {
  freeAttempts: 30,
  baseDelayS: 30,
  ...quarterHour,
  windowS: HOUR_S,
})

/** Requests to resend the activation email, from one network: each is a job, whether or not the account exists. */
export const activationsByNetwork = limit('activation-from', {
  freeAttempts: 30,
  baseDelayS: 30,
  ...quarterHour,
  windowS: HOUR_S,
})

/** Changes from one network that cause a notice by email: of passwords, second factors and passkeys. */
export const noticesByNetwork = limit('notices-from', {
  freeAttempts: 30,
  baseDelayS: 30,
  ...quarterHour,
  windowS: HOUR_S,
})

/** Wishes to be told when something is back, from one network: each may send an email to an address that somebody typed. */
export const stockNoticesByNetwork = limit('stock-notices-from', {
  freeAttempts: 60,
  baseDelayS: 15,
  ...quarterHour,
  windowS: HOUR_S,
})

const emails = limit('mails-to', { freeAttempts: 6, baseDelayS: MINUTE_S, maxDelayS: HOUR_S, windowS: DAY_S })

/** Emails to one recipient that anybody can trigger. */
export const emailsByRecipient = (email: string): RateLimit => emails(emailKey(email))

/** Attempts to use one-time links from one network. */
export const linksByNetwork = limit('links-from', {
  freeAttempts: 60,
  baseDelayS: 15,
  ...quarterHour,
  windowS: HOUR_S,
})

/**
 * Limits changes that the account's owner is notified of by email, per network, whether or not they succeed.
 * @throws ShopError `rate.limited`
 */
export const limitNotices = (deps: Pick<AccountDeps, 'db' | 'now'>, request: FastifyRequest): Promise<void> =>
  consume(deps.db, noticesByNetwork(clientOf(request).network), deps.now())

/**
 * Exponential backoff: `freeAttempts` attempts pass; the last of them and each later one starts a delay that doubles
 * from `baseDelayS` to `maxDelayS`. After `windowS` seconds without an attempt the limit starts anew.
 */
export type BackoffPolicy = { freeAttempts: number; baseDelayS: number; maxDelayS: number; windowS: number }

/** The largest exponent: far beyond every `maxDelayS`, small enough for the database's numbers. */
const MAX_DOUBLINGS = 30

/** Keys are hashed: the table holds no IP or email addresses. */
const keyOf = (what: string, about: string): string =>
  `${what}:${createHash('sha256').update(about).digest('base64url')}`

/** A limit and what it counts by: sign-ins of an account, emails to a recipient. */
export type RateLimit = { name: string; key: string; policy: BackoffPolicy }

/**
 * Counts one attempt before it is made, so that concurrent ones can't all slip through. Attempts during a delay are
 * rejected and not counted, so that they don't lengthen it.
 * @throws ShopError `rate.limited`, details `{ retryAfterS }`
 */
export async function consume(db: Db | Tx, limit: RateLimit, now: Date): Promise<void> {
  const [refused] = await consumeEach(db, [limit], now)
  if (refused !== undefined) throw refused
}

/**
 * Counts an attempt of each of these limits, as `consume` does one after the other, in one statement for all that count by
 * the same rule, unless one is there twice.
 * @returns for each the ShopError `rate.limited` that it is refused with; undefined: it passed
 */
export async function consumeEach(
  db: Db | Tx,
  limits: readonly RateLimit[],
  now: Date,
): Promise<(ShopError | undefined)[]> {
  const refused: (ShopError | undefined)[] = limits.map(() => undefined)
  let left = limits.map((limit, i) => ({ ...limit, i, hash: keyOf(limit.name, limit.key) }))
  for (let [first] = left; first !== undefined; [first] = left) {
    const { name, policy } = first
    const same = Map.groupBy(
      left.filter((one) => one.name === name),
      ({ hash }) => hash,
    )
    const round = [...same.values()].flatMap(([one]) => one ?? [])
    const passed = await countAttempts(db, policy, [...same.keys()].sort(), now)
    for (const { i, hash } of round) if (!passed.has(hash)) refused[i] = await tooMany(db, hash, now)
    left = left.filter((one) => !round.includes(one))
  }
  return refused
}

/** Counts an attempt for each of these keys, all different, in their order. Returns those that passed. */
async function countAttempts(
  db: Db | Tx,
  { freeAttempts, baseDelayS, maxDelayS, windowS }: BackoffPolicy,
  keys: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const at = sql`${now.toISOString()}::timestamptz`
  const waitFor = (count: ReturnType<typeof sql>) => sql`
    case when ${count} >= ${freeAttempts} then ${at} + interval '1 second' *
      least(${maxDelayS}::float8, ${baseDelayS}::float8 * 2 ^ least(${count} - ${freeAttempts}, ${MAX_DOUBLINGS})) end`
  // A time further ahead than possible was written by a wrong clock, and does not count.
  const isOver = sql`r.window_ends_at <= ${at} or r.window_ends_at > ${at} + ${windowS} * interval '1 second'`
  const next = sql`(case when ${isOver} then 1 else r.count + 1 end)`
  const passed = await rows<{ key: string }>(
    db,
    sql`insert into rate_limits as r (key, count, window_ends_at, locked_until)
        select k, 1, ${at} + ${windowS} * interval '1 second', ${waitFor(sql`1`)}
        from unnest(${sql.param([...keys])}::text[]) k
        on conflict (key) do update set count = ${next}, window_ends_at = excluded.window_ends_at,
          locked_until = ${waitFor(next)}
        where r.locked_until is null or r.locked_until <= ${at}
          or r.locked_until > ${at} + ${maxDelayS} * interval '1 second'
        returning r.key`,
  )
  return new Set(passed.map(({ key }) => key))
}

async function tooMany(db: Db | Tx, key: string, now: Date): Promise<ShopError> {
  const [row] = await rows<{ wait: number }>(
    db,
    sql`select ceil(extract(epoch from locked_until - ${now.toISOString()}::timestamptz))::int as wait
        from rate_limits where key = ${key}`,
  )
  const retryAfterS = Math.max(1, row?.wait ?? 1)
  return new ShopError('rate.limited', `Too many tries. Please wait ${formatWait(retryAfterS)}.`, {
    details: { retryAfterS },
  })
}

/** A delay as text: seconds up to a minute and a half, then minutes, rounded up. */
export const formatWait = (seconds: number): string => {
  if (seconds <= 90) return seconds === 1 ? '1 second' : `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}

/** Takes back one attempt that turned out to be the owner's, and clears the lockout. */
export async function refund(db: Db | Tx, { name: what, key: about }: RateLimit): Promise<void> {
  await rows(
    db,
    sql`update rate_limits set count = greatest(count - 1, 0), locked_until = null
        where key = ${keyOf(what, about)}`,
  )
}

/** Resets the limit. */
export async function reset(db: Db, { name: what, key: about }: RateLimit): Promise<void> {
  await rows(db, sql`delete from rate_limits where key = ${keyOf(what, about)}`)
}
