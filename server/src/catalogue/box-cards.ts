import { isDeepStrictEqual } from 'node:util'
import { type CardMetrics, cardMetrics } from '@befaqt/domain/card-metrics'
import { and, eq, inArray } from 'drizzle-orm'
import { productBoxes, products } from '#server/db/schema/shop.ts'
import type { CatalogueTx } from './change-catalogue.ts'

/** Do cards show the same before and after? Both as stored; null where nothing was computed yet. */
export const looksSameOnCards = (before: CardMetrics | null, after: CardMetrics | null): boolean =>
  isDeepStrictEqual(before && cardMetrics(before), after && cardMetrics(after))

/** Does a product on sale come from one of these boxes? Then what cards show of them is a change of the catalogue. */
export async function affectsCatalogue(tx: CatalogueTx, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return false
  const onSale = and(inArray(productBoxes.boxId, [...ids]), eq(products.status, 'ACTIVE'))
  const found = await tx
    .select({ id: products.id })
    .from(productBoxes)
    .innerJoin(products, eq(products.id, productBoxes.productId))
    .where(onSale)
    .limit(1)
  return found.length > 0
}
