import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { products } from '#server/db/schema/shop.ts'
import { byTitle } from './read-products.ts'

/** Products per batch: reading, writing or comparing them takes at most about 30 ms. */
const PART = 250

/**
 * Splits `all` into batches and yields to the event loop between them: the embedded database runs in this process and
 * would otherwise block all requests.
 */
export async function* batched<Item>(all: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let from = 0; from < all.length; from += PART) {
    if (from > 0) await yieldToEventLoop()
    yield all.slice(from, from + PART)
  }
}

/**
 * All products by title, read in batches. A product that changes meanwhile is still read once.
 * @param read reads the products that match a condition, by title
 */
export async function* everyProduct<Row>(db: Db, read: (some: SQL) => Promise<Row[]>): AsyncGenerator<Row[]> {
  const all = await db
    .select({ id: products.id })
    .from(products)
    .orderBy(...byTitle)
  for await (const part of batched(all)) yield await read(isOneOf(part.map(({ id }) => id)))
}

/** Matches products with these ids, as one parameter: a statement can have at most 65,535. */
const isOneOf = (ids: readonly string[]): SQL => sql`${products.id} = any(${sql.param(ids)}::text[])`
