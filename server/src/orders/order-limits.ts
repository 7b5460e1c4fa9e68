import { sql } from 'drizzle-orm'
import { emailKey, type RateLimit } from '#server/accounts/index.ts'
import { rows, type Tx } from '#server/db/client.ts'
import { hasRight, type Principal } from '#server/identity/principal.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { OrderRules } from '#server/site/index.ts'

const HOUR_S = 3_600

/** Orders from one network: each sends an email and takes stock. */
export const ordersByNetwork = (network: string): RateLimit => ({
  name: 'orders-from',
  key: network,
  policy: { freeAttempts: 600, baseDelayS: 5, maxDelayS: 900, windowS: HOUR_S },
})

/** Orders by the email of their contact, unless it is that of the account: it may be somebody else's. */
export const ordersByRecipient = (email: string): RateLimit => ({
  name: 'orders-to',
  key: emailKey(email),
  policy: { freeAttempts: 20, baseDelayS: 60, maxDelayS: HOUR_S, windowS: 24 * HOUR_S },
})

/** Holds of guests from one network: each reserves stock for a while. */
export const holdsByNetwork = (network: string): RateLimit => ({
  name: 'holds-from',
  key: network,
  policy: { freeAttempts: 300, baseDelayS: 15, maxDelayS: 900, windowS: HOUR_S },
})

/** Codes of coupons that there are not, from one network: whoever tries many is looking for one. */
export const couponsByNetwork = (network: string): RateLimit => ({
  name: 'coupons-from',
  key: network,
  policy: { freeAttempts: 20, baseDelayS: 30, maxDelayS: 900, windowS: HOUR_S },
})

/** Complaints from one network: each may bring photos, which are read before anything is known of them. */
export const complaintsByNetwork = (network: string): RateLimit => ({
  name: 'complaints-from',
  key: network,
  policy: { freeAttempts: 60, baseDelayS: 30, maxDelayS: 900, windowS: HOUR_S },
})

/** The least that a network may hold, however little there is. */
const MIN_SHARE = 2

/** What open checkouts and unconfirmed orders of one network take at most of so many units, or of a time's capacity. */
export const shareOf = (all: number, { networkShare }: OrderRules): number =>
  Math.max(MIN_SHARE, Math.floor(all * networkShare))

/** Who orders or holds, and from where. */
type Asker = { principal: Principal; network: string }

/**
 * Keyed hashes of the networks of those who hold only a share, as holds and orders keep it; null for staff and for
 * accounts whose order was handed out before.
 */
export async function shareholders(
  tx: Tx,
  { secrets }: { secrets: Pick<Secrets, 'hmac'> },
  askers: readonly Asker[],
): Promise<(string | null)[]> {
  const users = askers.flatMap(({ principal }) => (principal.kind === 'user' ? principal.userId : []))
  const known = await withCompletedOrder(tx, users)
  return askers.map(({ principal, network }) =>
    hasRight(principal, 'order:write') || (principal.kind === 'user' && known.has(principal.userId))
      ? null
      : secrets.hmac(network, 'network of a hold'),
  )
}

/** Those of these accounts whose order was handed out before. */
async function withCompletedOrder(tx: Tx, users: readonly string[]): Promise<Set<string>> {
  if (users.length === 0) return new Set()
  const found = await rows<{ id: string }>(
    tx,
    sql`select u.id from unnest(${sql.param([...new Set(users)])}::text[]) u(id)
        where exists (select from orders o where o.user_id = u.id and o.status = 'COMPLETED')`,
  )
  return new Set(found.map(({ id }) => id))
}

/** Those of these emails under which an order was placed and handed out before. */
export async function orderedBefore(tx: Tx, emails: readonly string[]): Promise<Set<string>> {
  if (emails.length === 0) return new Set()
  const found = await rows<{ email: string }>(
    tx,
    sql`select e.email from unnest(${sql.param([...new Set(emails)])}::text[]) e(email)
        where exists (select from order_contacts c join orders o on o.id = c.order_id
          where lower(c.email) = lower(e.email) and o.status = 'COMPLETED')`,
  )
  return new Set(found.map(({ email }) => email))
}

/** Is it so large that it waits as a first order? What is counted weighs nothing here. */
export function isLargeFirst(
  lines: readonly { orderedGrams: number | null }[],
  total: number,
  { firstOrderDollars, firstOrderKg }: OrderRules,
): boolean {
  const grams = lines.reduce((sum, { orderedGrams }) => sum + (orderedGrams ?? 0), 0)
  return total > firstOrderDollars * 100 || grams > firstOrderKg * 1_000
}
