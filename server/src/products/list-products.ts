import type { Paged } from '@befaqt/domain/api/box-api'
import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import { and, asc, count, desc, eq, ilike, or, type SQL } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { products } from '#server/db/schema/shop.ts'
import { likeText, type ManageQuery, pageOf } from '#server/http/manage-query.ts'
import { managedProducts } from './read-products.ts'

const sortable = {
  title: products.title,
  price: products.priceCents,
  stock: products.stock,
  discount: products.discount,
  shelf: products.shelfPos,
  status: products.status,
  updated: products.updatedAt,
} as const

/** Products, by title unless asked otherwise. `q` looks in title and shelf position: descriptions cost most of the time. */
export async function listProducts(db: Db, query: ManageQuery): Promise<Paged<ManagedProduct>> {
  const { page, size, offset } = pageOf(query)
  const where = matching(query)
  const column = sortable[query.sort as keyof typeof sortable] ?? products.title
  const order = query.dir === 'desc' ? desc(column) : asc(column)
  const [all] = await db.select({ total: count() }).from(products).where(where)
  const found = await db
    .select()
    .from(products)
    .where(where)
    .orderBy(order, query.dir === 'desc' ? desc(products.id) : asc(products.id))
    .limit(size)
    .offset(offset)
  return { rows: await managedProducts(db, found), page, size, total: all?.total ?? 0 }
}

function matching({ q, status, category }: ManageQuery): SQL | undefined {
  const text = likeText(q ?? '')
  return and(
    status && eq(products.status, status),
    category ? eq(products.categoryId, category) : undefined,
    q ? or(ilike(products.title, text), ilike(products.shelfPos, text)) : undefined,
  )
}

/** Every product, as `GET /api/product` has it without a query. Source: spec §7. */
export const allProducts = async (db: Db): Promise<ManagedProduct[]> =>
  managedProducts(db, await db.select().from(products).orderBy(asc(products.title), asc(products.id)))
