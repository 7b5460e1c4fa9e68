import { isDeepStrictEqual } from 'node:util'
import { type CardMetrics, cardMetrics } from '@befaqt/domain/card-metrics'
import { and, eq, inArray } from 'drizzle-orm'
import { productBoxes, products } from '#server/db/schema/shop.ts'
import type { CatalogueTx } from './change-catalogue.ts'

/** Do cards look the same before and after? Both as stored; null before the first computation. */
export const looksSameOnCards = (before: CardMetrics | null, after: CardMetrics | null): boolean =>
  isDeepStrictEqual(before && cardMetrics(before), after && cardMetrics(after))

/** Is a product on sale linked to one of these boxes? Then a change of what its card shows changes the catalogue. */
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
