import type { CheckedCoupon } from '@befaqt/domain/api/coupon-api'
import type { CouponCheck } from '@befaqt/domain/coupon-input'
import { ShopError } from '@befaqt/domain/errors'
import { NO_MONEY } from '@befaqt/domain/money'
import { eq, inArray } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { users } from '#server/db/schema/accounts.ts'
import { coupons } from '#server/db/schema/coupons.ts'
import { products } from '#server/db/schema/shop.ts'
import type { Principal } from '#server/identity/principal.ts'
import { assertAccount, userIdOf } from '../hold-stock.ts'
import { assertUnits, newLine } from '../new-lines.ts'
import type { OrderDeps } from '../order-deps.ts'
import { totalsOfOrder } from '../order-totals.ts'
import { AvailableCoupons, type Customer } from './available-coupons.ts'
import { findNamed } from './find-named.ts'

/**
 * What a code takes off these lines at today's prices, or why nothing. Nothing is taken. Whether it is somebody's first
 * order is said here to whoever is logged in alone: guests name an email that may be anybody's, and hear it when they
 * order.
 * @throws ShopError `coupon.refused`, `price.changed` for what is sold by another unit, `rate.limited`, `auth.required`
 */
export async function checkCoupon(
  deps: OrderDeps,
  principal: Principal,
  input: CouponCheck,
  network: string,
): Promise<CheckedCoupon> {
  const { code, lines: wanted } = input
  assertAccount(principal, input)
  const now = deps.now()
  const [id] = await deps.db.transaction((tx) => findNamed(tx, now, [{ code, network }]))
  if (id === undefined || id instanceof ShopError) throw id ?? new Error('a code is found or refused')
  const customer = await customerOf(deps.db, principal)
  return deps.db.transaction(async (tx) => {
    const found = await tx.select().from(coupons).where(eq(coupons.id, id))
    const wish = { id, customer }
    const ofIt = new Map(found.map((row) => [row.id, row]))
    const available = await AvailableCoupons.read(tx, ofIt, [wish], deps.siteFile.market.timeZone)
    const ids = wanted.map(({ product_id }) => product_id)
    const today = await tx.select().from(products).where(inArray(products.id, ids))
    assertUnits(new Map(today.map((row) => [row.id, row])), wanted)
    const lines = wanted.flatMap(({ product_id, quantity, preparation }, i) => {
      const product = today.find((one) => one.id === product_id)
      return product
        ? [{ ...newLine(product, quantity, i + 1, preparation), categoryId: product.categoryId }]
        : []
    })
    const { terms } = available.check(wish, lines)
    const { coupon: off = 0, total, gst } = totalsOfOrder(lines, { deliveryCents: NO_MONEY, coupon: terms })
    return { ...terms, products: terms.products && [...terms.products], off, total, gst }
  })
}

async function customerOf(db: Db, principal: Principal): Promise<Customer | null> {
  const userId = userIdOf(principal)
  if (userId === null) return null
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, userId))
  return user === undefined ? null : { userId, email: user.email }
}
