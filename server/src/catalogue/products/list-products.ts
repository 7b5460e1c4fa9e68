import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import { and, eq, inArray, type SQL } from 'drizzle-orm'
import { productColumns } from '#server/catalogue/product-columns.ts'
import type { Db } from '#server/db/client.ts'
import { sortKeys } from '#server/db/column-map.ts'
import { products } from '#server/db/schema/shop.ts'
import { matchesAllWords, orderBy } from '#server/db/search-and-order.ts'
import { type ListQuery, pageOf } from '#server/http/list-query.ts'
import type { Principal } from '#server/identity/principal.ts'
import { everyProduct } from './batches.ts'
import { managedProducts, seenBy } from './read-products.ts'

const sortable = sortKeys(productColumns, { updated: products.updatedAt })

/** Products, sorted by title by default. `q` searches title and shelf position. */
export async function listProducts(
  db: Db,
  query: ListQuery,
  principal: Principal,
): Promise<Paged<ManagedProduct>> {
  const { page, size, offset } = pageOf(query)
  const where = matching(query)
  const column = sortable.get(query.sort ?? 'title') ?? products.search
  const order = orderBy(column, products.id, query.dir)
  // Ids first: sorting whole rows with their descriptions takes three times as long.
  const ids = db
    .select({ id: products.id })
    .from(products)
    .where(where)
    .orderBy(...order)
    .limit(size)
    .offset(offset)
  const [total, rows] = await Promise.all([
    db.$count(products, where),
    managedProducts(db, inArray(products.id, ids), order),
  ])
  return { rows: rows.map((product) => seenBy(principal, product)), page, size, total }
}

const matching = ({ q, status, category }: ListQuery): SQL | undefined =>
  and(
    status && eq(products.status, status),
    category ? eq(products.categoryId, category) : undefined,
    matchesAllWords(products.search, q),
  )

/** Every product, as `GET /api/product` has it without a query. Source: spec §7. */
export async function allProducts(db: Db, principal: Principal): Promise<ManagedProduct[]> {
  const all: ManagedProduct[] = []
  for await (const part of everyProduct(db, (some) => managedProducts(db, some))) all.push(...part)
  return all.map((product) => seenBy(principal, product))
}
