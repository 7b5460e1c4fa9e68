import type { ShopError } from '@befaqt/domain/errors'
import { inArray } from 'drizzle-orm'
import { consumeEach, emailKey } from '#server/accounts/index.ts'
import type { Tx } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import type { Principal } from '#server/identity/principal.ts'
import { userIdOf } from './hold-stock.ts'
import { ordersByNetwork, ordersByRecipient } from './order-limits.ts'

/**
 * Counts orders for the limits of their networks and recipients. An account may order as often as it likes for itself.
 * @returns for each the ShopError `rate.limited` that it is refused with; undefined: it passed
 */
export async function countOrders(
  tx: Tx,
  now: Date,
  asked: readonly { principal: Principal; network: string; email: string }[],
): Promise<(ShopError | undefined)[]> {
  const ofNetworks = await consumeEach(
    tx,
    asked.map(({ network }) => ordersByNetwork(network)),
    now,
  )
  const own = await ownEmails(tx, asked)
  const toOthers = [...asked.entries()].filter(
    ([i, { principal, email }]) =>
      ofNetworks[i] === undefined && own.get(userIdOf(principal)) !== emailKey(email),
  )
  const ofRecipients = await consumeEach(
    tx,
    toOthers.map(([, { email }]) => ordersByRecipient(email)),
    now,
  )
  const refused = new Map(toOthers.map(([i], at) => [i, ofRecipients[at]]))
  return ofNetworks.map((one, i) => one ?? refused.get(i))
}

/** The normalized emails of those who are signed in, by their ids. */
export async function ownEmails(
  tx: Tx,
  askers: readonly { principal: Principal }[],
): Promise<Map<string | null, string>> {
  const ids = askers.flatMap(({ principal }) => userIdOf(principal) ?? [])
  if (ids.length === 0) return new Map()
  const found = await tx
    .select({ id: users.id, emailKey: users.emailKey })
    .from(users)
    .where(inArray(users.id, ids))
  return new Map(found.map(({ id, emailKey }) => [id, emailKey]))
}
