import type { ManagedProduct } from '@befaqt/domain/api/manage-api'
import { ShopError } from '@befaqt/domain/errors'
import { asc, eq, type SQL, sql } from 'drizzle-orm'
import { type ImageRow, productView } from '#server/catalogue/views.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { categories, products } from '#server/db/schema/shop.ts'

export type ProductRow = typeof products.$inferSelect

/** By title, as lists are unless asked otherwise. */
export const byTitle: readonly SQL[] = [asc(products.search), asc(products.id)]

/** A product's pictures in their order. */
const images = sql<ImageRow[]>`(
  select coalesce(json_agg(json_build_object('path', i.path, 'width', f.width, 'height', f.height, 'alt', i.alt)
    order by i.position), '[]')
  from product_images i join files f on f.path = i.path where i.product_id = ${products.id})`

/** The boxes that a product comes from, first linked first. */
const boxes = sql<ManagedProduct['boxes']>`(
  select coalesce(json_agg(json_build_object('boxID', b.box_id, 'quantity', b.quantity)
    order by b.created_at, b.box_id), '[]')
  from product_boxes b where b.product_id = ${products.id})`

/**
 * Products for which `where` holds, as managers see them, with pictures, category and boxes: in one query, since each
 * costs the embedded database a millisecond.
 */
export async function managedProducts(
  db: Db | Tx,
  where: SQL,
  order: readonly SQL[] = byTitle,
): Promise<ManagedProduct[]> {
  const found = await db
    .select({ row: products, categoryTitle: categories.title, images, boxes })
    .from(products)
    .innerJoin(categories, eq(categories.id, products.categoryId))
    .where(where)
    .orderBy(...order)
  return found.map(({ row, categoryTitle, images, boxes }) => {
    const { box: _, ...view } = productView(row, images, null)
    const { version, updatedAt } = row
    return { ...view, categoryTitle, boxes, version, updatedAt: updatedAt.toISOString() }
  })
}

/** One product as managers see it. @throws ShopError `product.not_found` */
export async function managedProduct(db: Db | Tx, id: string): Promise<ManagedProduct> {
  const [managed] = await managedProducts(db, eq(products.id, id))
  if (managed === undefined) throw productNotFound()
  return managed
}

export const productNotFound = (): ShopError =>
  new ShopError('product.not_found', 'There is no such product.')
