import { ShopError } from '@befaqt/domain/errors'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { writeAuditEntry } from '#server/audit/audit-log.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { lock } from '#server/db/lock.ts'
import { users } from '#server/db/schema/accounts.ts'
import { orderContacts, orders } from '#server/db/schema/orders.ts'
import type { Principal } from '#server/identity/principal.ts'

/** Orders that are merged at once; pressed again, the next. */
const MOST = 500

type Account = Pick<typeof users.$inferSelect, 'email' | 'activatedAt'>

/** Orders without an account for the address of this one. An address that it only claims may be somebody else's: none. */
export async function guestOrdersOf(db: Db | Tx, { email, activatedAt }: Account): Promise<string[]> {
  if (activatedAt === null) return []
  const found = await db
    .select({ id: orderContacts.orderId })
    .from(orderContacts)
    .innerJoin(orders, eq(orders.id, orderContacts.orderId))
    .where(
      and(
        sql`lower(${orderContacts.email}) = lower(${email})`,
        isNull(orderContacts.userId),
        isNull(orders.userId),
      ),
    )
    .limit(MOST)
  return found.map(({ id }) => id)
}

/**
 * Gives an account the orders that were placed without one for the address that it has confirmed: whoever reads that
 * address has the link of each already. Twice, it finds none any more. Returns how many they were.
 * @throws ShopError `user.not_found`
 */
export const mergeGuestOrders = (db: Db, principal: Principal, userId: string): Promise<number> =>
  db.transaction(async (tx) => {
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('key share')
    if (user === undefined) throw new ShopError('user.not_found', 'There is no such user.')
    const [held] = await lock(tx).orders(await guestOrdersOf(tx, user))
    const ids = [...held.values()].filter((order) => order.userId === null).map(({ id }) => id)
    if (ids.length === 0) return 0
    await tx.update(orders).set({ userId }).where(inArray(orders.id, ids))
    await tx.update(orderContacts).set({ userId }).where(inArray(orderContacts.orderId, ids))
    const numbers = [...held.values()].filter(({ id }) => ids.includes(id)).map(({ number }) => number)
    await writeAuditEntry(tx, principal, 'user', userId, {
      before: { guestOrders: '' },
      after: { guestOrders: numbers.join(', ') },
    })
    return ids.length
  })
