import type { ShopError } from '@befaqt/domain/errors'
import { inArray } from 'drizzle-orm'
import { consumeEach, refund } from '#server/accounts/index.ts'
import type { Tx } from '#server/db/client.ts'
import { coupons } from '#server/db/schema/coupons.ts'
import { couponsByNetwork } from '../order-limits.ts'
import { couponRefused } from './coupon-refused.ts'

/**
 * The ids of coupons by their codes. Codes that there are not are counted for the network that tried them, so that nobody
 * finds one by trying.
 * @returns for each its id, or the ShopError `coupon.refused` or `rate.limited` that it is refused with
 */
export async function findNamed(
  tx: Tx,
  now: Date,
  asked: readonly { code: string; network: string }[],
): Promise<(string | ShopError)[]> {
  if (asked.length === 0) return []
  const tries = asked.map(({ network }) => couponsByNetwork(network))
  const tooMany = await consumeEach(tx, tries, now) // before it is known whether they are right
  const found = await tx
    .select({ id: coupons.id, code: coupons.code })
    .from(coupons)
    .where(
      inArray(
        coupons.code,
        asked.map(({ code }) => code),
      ),
    )
  const ids = new Map(found.map(({ id, code }) => [code, id]))
  for (const [i, tried] of tries.entries())
    if (tooMany[i] === undefined && ids.has(asked[i]?.code ?? '')) await refund(tx, tried)
  return asked.map(({ code }, i) => tooMany[i] ?? ids.get(code) ?? couponRefused.unknown())
}
