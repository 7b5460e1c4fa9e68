import { setImmediate as othersTurn } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { products } from '#server/db/schema/shop.ts'
import { byTitle } from './read-products.ts'

const PART = 500

/**
 * What `read` finds of every product, by title, so many at a time: all at once would keep this process from every
 * other request, since the embedded database works in it. A product that changes meanwhile is read once all the same.
 * @param read reads the products for which the condition holds
 */
export async function* inParts<Row>(db: Db, read: (some: SQL) => Promise<Row[]>): AsyncGenerator<Row[]> {
  const all = await db
    .select({ id: products.id })
    .from(products)
    .orderBy(...byTitle)
  for (let from = 0; from < all.length; from += PART) {
    const ids = all.slice(from, from + PART).map(({ id }) => id)
    yield await read(sql`${products.id} = any(${sql.param(ids)}::text[])`)
    await othersTurn()
  }
}
