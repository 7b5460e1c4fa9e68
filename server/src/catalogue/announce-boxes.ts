import { isDeepStrictEqual } from 'node:util'
import { type BoxFiguresForCards, cardFigures } from '@befaqt/domain/card-figures'
import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { productBoxes, products } from '#server/db/schema/shop.ts'
import { announceCatalogueChange } from './catalogue.ts'

/** Do cards show the same before and after? Both as stored; null where nothing was computed yet. */
export const showsTheSame = (before: BoxFiguresForCards | null, after: BoxFiguresForCards | null): boolean =>
  isDeepStrictEqual(before && cardFigures(before), after && cardFigures(after))

/**
 * Announces a change of the catalogue, in the caller's transaction, when a product on sale comes from one of these
 * boxes. Answers whether it did: then call `deps.catalogue.changed()` after the commit.
 */
export async function announceBoxes(tx: Tx, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0 || !(await areOnSale(tx, ids))) return false
  await announceCatalogueChange(tx)
  return true
}

async function areOnSale(tx: Tx, ids: readonly string[]): Promise<boolean> {
  const onSale = and(inArray(productBoxes.boxId, [...ids]), eq(products.status, 'ACTIVE'))
  const found = await tx
    .select({ id: products.id })
    .from(productBoxes)
    .innerJoin(products, eq(products.id, productBoxes.productId))
    .where(onSale)
    .limit(1)
  return found.length > 0
}
