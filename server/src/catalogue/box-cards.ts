import { isDeepStrictEqual } from 'node:util'
import type { ProductBox } from '@befaqt/domain/catalogue'
import { type CardMetrics, cardMetrics } from '@befaqt/domain/catalogue-steps'
import { coldChainMarks } from '@befaqt/domain/cold-chain'
import { boxStages } from '@befaqt/domain/place'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/client.ts'
import { boxes } from '#server/db/schema/boxes.ts'
import { productBoxes, products } from '#server/db/schema/shop.ts'
import { isStopped } from './backings.ts'
import type { CatalogueTx } from './change-catalogue.ts'

/**
 * The box that a product's card shows, of those it is linked to: the freshest of what can be bought today, and only
 * without any such one what is still to come or was warm when it was last measured. Then by the date from which on it is
 * past its best, and by the index; of two that are as fresh, the one caught last. None of this asks the clock: a
 * catalogue stays as it is until a box changes. A box that is recalled or off sale is on no card.
 */
export async function freshestBoxes(
  db: Db | Tx,
  timeZone: string,
  products: readonly string[] | null,
): Promise<Map<string, ProductBox>> {
  const among = products === null ? undefined : inArray(productBoxes.productId, [...products])
  const links = await db.select().from(productBoxes).where(among)
  if (links.length === 0) return new Map()
  const ids = [...new Set(links.map((link) => link.boxId))]
  const found = await db
    .select({ id: boxes.id, summary: boxes.summary, caughtAt: boxes.caughtAt })
    .from(boxes)
    .where(sql`${boxes.id} = any(${sql.param(ids)}::text[]) and not ${isStopped(boxes)}`)
  const readable = new Map(
    found.flatMap(({ id, summary, caughtAt }): [string, Candidate][] => {
      const box = boxOnCard({ id, summary }, timeZone)
      return box === null ? [] : [[id, { box, caughtAt: caughtAt?.getTime() ?? 0 }]]
    }),
  )
  const freshest = new Map<string, Candidate>()
  for (const { productId, boxId } of links) {
    const candidate = readable.get(boxId)
    const best = freshest.get(productId)
    if (candidate !== undefined && (best === undefined || byFreshness(candidate, best) < 0))
      freshest.set(productId, candidate)
  }
  return new Map([...freshest].map(([productId, { box }]) => [productId, box]))
}

/** What cards show of a box; null: its summary can't be read. Whether anything may be said of it is for the caller to know. */
export function boxOnCard(
  { id, summary }: Pick<typeof boxes.$inferSelect, 'id' | 'summary'>,
  timeZone: string,
): ProductBox | null {
  const data = storedSummary(summary)
  return data === null ? null : { ...cardMetrics(data, timeZone), boxID: id }
}

/** `caughtAt`: milliseconds since 1970, 0 when unknown. Records have two time formats, so their texts can't be compared. */
type Candidate = { box: ProductBox; caughtAt: number }

/** Can it be bought: at market, and cold when it was last measured? As `freshest first` begins. */
const canBeBought = ({ box: { stage, warm } }: Candidate): boolean => stage === 'at market' && warm === null

/** Ties are broken by id, so that all processes show the same box. */
const byFreshness = (a: Candidate, b: Candidate): number =>
  Number(canBeBought(b)) - Number(canBeBought(a)) ||
  inOrder(b.box.wordFrom?.over ?? '', a.box.wordFrom?.over ?? '') ||
  (a.box.freshnessIndex ?? 2) - (b.box.freshnessIndex ?? 2) ||
  b.caughtAt - a.caughtAt ||
  inOrder(a.box.boxID, b.box.boxID)

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

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
  boat: z.string().nullable().default(null),
  trader: z.string().nullable().default(null),
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
  const among = sql`${productBoxes.boxId} = any(${sql.param([...ids])}::text[])`
  const onSale = and(among, eq(products.status, 'ACTIVE'))
  const found = await tx
    .select({ id: products.id })
    .from(productBoxes)
    .innerJoin(products, eq(products.id, productBoxes.productId))
    .where(onSale)
    .limit(1)
  return found.length > 0
}
