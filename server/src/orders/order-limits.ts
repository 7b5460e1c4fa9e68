import { sql } from 'drizzle-orm'
import { emailKey } from '#server/accounts/account.ts'
import type { RateLimit } from '#server/accounts/limits.ts'
import { rows, type Tx } from '#server/db/client.ts'
import { hasRight, type Principal } from '#server/identity/principal.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { OrderRules } from '#server/site/site.ts'

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

/** The least that a network may hold, however little there is. */
const MIN_SHARE = 2

/** What open checkouts and unconfirmed orders of one network take at most of so many units, or of a time's capacity. */
export const shareOf = (all: number, { networkShare }: OrderRules): number =>
  Math.max(MIN_SHARE, Math.floor(all * networkShare))

/**
 * Keyed hash of the network of somebody who holds only a share, as holds and orders keep it; null for staff and for
 * accounts whose order was handed out before.
 */
export async function shareholder(
  tx: Tx,
  { secrets }: { secrets: Pick<Secrets, 'hmac'> },
  principal: Principal,
  network: string,
): Promise<string | null> {
  if (hasRight(principal, 'order:write')) return null
  const userId = principal.kind === 'user' ? principal.userId : null
  const [known] =
    userId === null
      ? []
      : await rows(
          tx,
          sql`select 1 as one from orders where user_id = ${userId} and status = 'COMPLETED' limit 1`,
        )
  return known === undefined ? secrets.hmac(network, 'network of a hold') : null
}

/** Was an order handed out before that was placed under this email? */
export async function hasOrderedBefore(tx: Tx, email: string): Promise<boolean> {
  const found = await rows(
    tx,
    sql`select 1 as one from order_contacts c join orders o on o.id = c.order_id
        where lower(c.email) = lower(${email}::text) and o.status = 'COMPLETED' limit 1`,
  )
  return found.length > 0
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
