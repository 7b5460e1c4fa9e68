import { isDeepStrictEqual } from 'node:util'
import { type CardMetrics, cardMetrics } from '@befaqt/domain/catalogue-steps'
import { coldChainMarks } from '@befaqt/domain/cold-chain'
import { boxStages } from '@befaqt/domain/place'
import { and, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import { productBoxes, products } from '#server/db/schema/shop.ts'
import type { CatalogueTx } from './change-catalogue.ts'

const moment = z.iso.datetime()
const Freshness = z.object({
  freshnessIndex: z.number().nullable(),
  bestBy: moment.nullable(),
  wordFrom: z.object({ good: moment, useSoon: moment, over: moment }).nullable(),
  warm: z.object({ at: moment, temperature: z.number(), unknownFrom: moment }).nullable(),
})

/** Until rows of older versions are projected anew, which took every box to lie on ice, cards say nothing of freshness. */
const unsaid: z.infer<typeof Freshness> = { freshnessIndex: null, bestBy: null, wordFrom: null, warm: null }

/** What is stored of a box for cards. The defaults are for rows of older versions. */
const Rest = z.object({
  coldChain: z.enum(coldChainMarks).nullable().default(null),
  stage: z.enum(boxStages).default('registered'),
  catchPlace: z.string().nullable(),
  catchTime: z.string().nullable(),
  method: z.string().nullable().default(null),
})

/** A summary as it was stored; null before the first, and for a damaged one, which must not break the page of all products. */
export function storedSummary(stored: unknown): CardMetrics | null {
  const rest = Rest.safeParse(stored).data
  return rest === undefined ? null : { ...rest, ...(Freshness.safeParse(stored).data ?? unsaid) }
}

/** Do cards look the same before and after? */
export const looksSameOnCards = (stored: unknown, after: CardMetrics | null, timeZone: string): boolean => {
  const before = storedSummary(stored)
  return isDeepStrictEqual(before && cardMetrics(before, timeZone), after && cardMetrics(after, timeZone))
}

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
