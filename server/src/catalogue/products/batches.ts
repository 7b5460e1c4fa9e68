import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { products } from '#server/db/schema/shop.ts'
import { byTitle } from './read-products.ts'

/** Products whose reading, writing or comparing takes some 30 ms at most. */
const PART = 250

/**
 * `all` in parts. Between them every other request has its turn: the embedded database works in this process and
 * would let nobody else in before the last part.
 */
export async function* batched<Item>(all: readonly Item[]): AsyncGenerator<readonly Item[]> {
  for (let from = 0; from < all.length; from += PART) {
    if (from > 0) await yieldToEventLoop()
    yield all.slice(from, from + PART)
  }
}

/**
 * What `read` finds of every product, by title, in parts. A product that changes meanwhile is read once all the same.
 * @param read reads the products for which the condition holds, by title
 */
export async function* everyProduct<Row>(db: Db, read: (some: SQL) => Promise<Row[]>): AsyncGenerator<Row[]> {
  const all = await db
    .select({ id: products.id })
    .from(products)
    .orderBy(...byTitle)
  for await (const part of batched(all)) yield await read(isOneOf(part.map(({ id }) => id)))
}

/** Holds for products with these ids. One parameter however many there are: a statement may have 65,535. */
export const isOneOf = (ids: readonly string[]): SQL => sql`${products.id} = any(${sql.param(ids)}::text[])`
