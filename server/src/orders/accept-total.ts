import type { OrderView } from '@befaqt/domain/api/order-api'
import { ShopError } from '@befaqt/domain/errors'
import { eq, sql } from 'drizzle-orm'
import { orders } from '#server/db/schema/orders.ts'
import { BOX_NOT_ALLOWED, type Principal } from '#server/identity/principal.ts'
import { assertMay, orderRole } from './order-access.ts'
import type { OrderDeps } from './order-deps.ts'
import { orderView } from './order-views.ts'
import { lockOrder, readWholeOrder } from './read-orders.ts'

/**
 * Accepts the total of an order that was weighed above what its buyer agreed to.
 * @param total the cents that were shown: another total is not accepted by this
 * @throws ShopError `order.not_found`, `order.state`, `price.changed`, `auth.forbidden` for a key for some boxes
 */
export async function acceptTotal(
  deps: OrderDeps,
  principal: Principal,
  id: string,
  { total, key }: { total: number; key: string | undefined },
): Promise<OrderView> {
  return deps.db.transaction(async (tx) => {
    const [order] = await lockOrder(tx, id)
    const role = await orderRole(deps, tx, principal, order, key)
    if (role === 'boxes') throw new ShopError('auth.forbidden', BOX_NOT_ALLOWED)
    assertMay(order, 'accept the total')
    if (order.totalCents !== total)
      throw new ShopError('price.changed', 'The total has changed in the meantime.', {
        details: { total: order.totalCents },
      })
    await tx
      .update(orders)
      .set({ agreedCents: total, version: order.version + 1, updatedAt: sql`clock_timestamp()` })
      .where(eq(orders.id, id))
    return orderView(await readWholeOrder(tx, id), role)
  })
}
