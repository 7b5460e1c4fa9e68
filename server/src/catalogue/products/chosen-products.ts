import { ShopError } from '@befaqt/domain/errors'
import { z } from 'zod'
import type { Db, Tx } from '#server/db/client.ts'
import { products } from '#server/db/schema/shop.ts'
import { ListQuery } from '#server/http/list-query.ts'
import { matching, type ProductRow, productNotFound } from './read-products.ts'

/** What narrows the list of products, without its order and pages. Empty: all products. */
const ProductFilter = z.strictObject(
  ListQuery.pick({ q: true, status: true, category: true, draft: true }).shape,
)

/**
 * Which products a call is about: `ids`, or all that match `filter`, which the caller knows to be `count`.
 * @param most products per call
 */
export const choiceShape = (most: number) => ({
  ids: z.array(z.string().max(64)).min(1, 'no product was chosen').max(most).optional(),
  filter: ProductFilter.optional(),
  count: z
    .int('count must be a whole number')
    .min(1, 'no product was chosen')
    .max(most, `at most ${most} products can be chosen at once`)
    .optional(),
})
export type Choice = z.infer<z.ZodObject<ReturnType<typeof choiceShape>>>

/** Refuses what names products in both ways, or in none. */
export function oneChoice({ ids, filter, count }: Choice, { addIssue }: z.RefinementCtx): void {
  const refuse = (path: keyof Choice, message: string) => addIssue({ code: 'custom', path: [path], message })
  if (ids && filter) refuse('filter', 'products are named by their ids or by a filter, not by both')
  if (!ids && !filter) refuse('ids', 'no product was chosen')
  if (filter && count === undefined) refuse('count', 'how many products match has to be said')
  if (!filter && count !== undefined) refuse('count', 'goes with a filter only')
}

/** Reads products by their ids: those that there are. */
type ReadRows = (ids: Iterable<string>) => Promise<ReadonlyMap<string, ProductRow>>

/**
 * The products of a choice, as `read` reads them, which may lock them. Those of a filter are looked for before and again
 * after: while one waited for locks, others may have changed them, and none that no longer matches is changed unseen.
 * @param copyOf id that the call gives to the copy of a product: what it has made before may match, and is not chosen
 * @throws ShopError `product.not_found`; `conflict` with details `{ count }` where others match than the caller knows
 */
export async function chosenProducts(
  db: Db | Tx,
  { ids, filter, count = 0 }: Choice,
  read: ReadRows,
  copyOf?: (id: string) => string,
): Promise<ProductRow[]> {
  if (filter === undefined) {
    const found = await read(ids ?? [])
    if (found.size < new Set(ids).size) throw productNotFound()
    return [...found.values()]
  }
  const look = () => matchingIds(db, filter, count, copyOf)
  const wanted = await look()
  if (wanted.length !== count) throw await othersMatch(db, filter, count)
  const found = await read(wanted)
  const still = await look()
  if (still.length !== count || !still.every((id) => found.has(id)))
    throw await othersMatch(db, filter, count)
  return [...found.values()]
}

/** Ids of what matches, without copies that are the call's own; where there are more than `count`, at least one more. */
async function matchingIds(
  db: Db | Tx,
  filter: NonNullable<Choice['filter']>,
  count: number,
  copyOf?: (id: string) => string,
): Promise<string[]> {
  const found = await db
    .select({ id: products.id })
    .from(products)
    .where(matching(filter))
    .limit((copyOf ? 2 * count : count) + 1)
  const ids = found.map(({ id }) => id)
  if (copyOf === undefined) return ids
  const own = new Set(ids.map(copyOf))
  return ids.filter((id) => !own.has(id))
}

async function othersMatch(
  db: Db | Tx,
  filter: NonNullable<Choice['filter']>,
  before: number,
): Promise<ShopError> {
  const count = await db.$count(products, matching(filter))
  const now =
    count === before ? 'other products match than before' : `${count} products match now, not ${before}`
  return new ShopError('conflict', `Nothing was changed: ${now}.`, { details: { count } })
}
